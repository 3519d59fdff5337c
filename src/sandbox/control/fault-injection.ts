import type { ServerResponse } from 'node:http'

/** The faults of a system. Members combine; `error_rate` is the share of failures, and `status` their status. */
export interface Fault {
  /** Delays the call before its work. */
  delay_ms?: number
  /** Accepts the call and never responds. */
  hang?: boolean
  /** The share of calls that fail, 0..1; default 1 when `status` is set. */
  error_rate?: number
  /** 500..599; default 503 when `error_rate` is set. */
  status?: number
  /** Responds with 200 and invalid JSON. */
  garbage?: boolean
  /** Closes the port. */
  refuse?: boolean
  /** The share of calls whose connection is cut after the work, without a response, 0..1. */
  drop_after?: number
  /** Delays the response after the work … */
  late_ms?: number
  /** … for this share of the calls, 0..1; default 1. */
  late_rate?: number
  /** The operations with the fault; default: all. Does not apply to `refuse`. */
  only?: string[]
}

export interface FaultInjector {
  current(): Fault
  set(fault: Fault): void
  /** Applies the faults before the work. Resolves to false when the call is already over. */
  beforeWork(response: ServerResponse, operation: string): Promise<boolean>
  /** Applies the faults after the work, and the system's own delay. Resolves to false when no response may be sent. */
  afterWork(response: ServerResponse, operation: string, delayMs: number): Promise<boolean>
  /** Cuts the connection of every call that is delayed or hangs. */
  release(): void
}

export function createFaultInjector(random: () => number): FaultInjector {
  let fault: Fault = {}
  const pending = new Set<ServerResponse>()

  function hold(response: ServerResponse): void {
    pending.add(response)
    response.once('close', () => pending.delete(response))
  }

  function wait(response: ServerResponse, ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        pending.delete(response)
        resolve(true)
      }, ms)
      hold(response)
      response.once('close', () => {
        clearTimeout(timer)
        resolve(false)
      })
    })
  }

  const faultOf = (operation: string): Fault => (fault.only && !fault.only.includes(operation) ? {} : fault)

  return {
    current: () => fault,
    set(next) {
      fault = next
    },
    async beforeWork(response, operation) {
      const { delay_ms = 0, hang, error_rate, status, garbage } = faultOf(operation)
      if (delay_ms > 0 && !(await wait(response, delay_ms))) return false
      if (hang) {
        hold(response)
        return false
      }
      const rate = error_rate ?? (status === undefined ? 0 : 1)
      if (rate > 0 && random() < rate) {
        response.writeHead(status ?? 503, { 'content-type': 'application/json' })
        response.end('{"error":"fault","detail":"this failure was injected"}')
        return false
      }
      if (garbage) {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end('{"data":[{"sku":42,<<garbage>>')
        return false
      }
      return true
    },
    async afterWork(response, operation, delayMs) {
      const { drop_after = 0, late_ms = 0, late_rate = 1 } = faultOf(operation)
      if (drop_after > 0 && random() < drop_after) {
        response.destroy()
        return false
      }
      const isLate = late_ms > 0 && (late_rate >= 1 || random() < late_rate)
      const ms = delayMs + (isLate ? late_ms : 0)
      return ms === 0 || wait(response, ms)
    },
    release() {
      for (const response of pending) response.destroy()
      pending.clear()
    },
  }
}
