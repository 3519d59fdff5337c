import type { ServerResponse } from 'node:http'

/** How a system misbehaves. Members combine; `error_rate` and `status` together say how often and with what. */
export interface Fault {
  /** Before anything else. */
  delay_ms?: number
  /** Takes the call and never answers. */
  hang?: boolean
  /** The share of calls that fail, 0..1; 1 when `status` is given alone. */
  error_rate?: number
  /** 500..599; 503 when `error_rate` is given alone. */
  status?: number
  /** Answers 200 with something that is not JSON. */
  garbage?: boolean
  /** The port is closed. */
  refuse?: boolean
  /** The share of calls whose work is done and whose connection is then cut without an answer, 0..1. */
  drop_after?: number
  /** Does the work, and answers this much later … */
  late_ms?: number
  /** … to this share of the calls, 0..1; 1 when it is left out. */
  late_rate?: number
  /** The operations that the fault is of; left out: all of them. A closed port knows no operations. */
  only?: string[]
}

export interface FaultInjector {
  current(): Fault
  set(fault: Fault): void
  /** Before the work: does what the fault says. False: the answer was given, or never will be. */
  beforeWork(response: ServerResponse, operation: string): Promise<boolean>
  /** After the work, whose answer is this late of itself. False: it is not sent. */
  afterWork(response: ServerResponse, operation: string, lateMs: number): Promise<boolean>
  /** Cuts every call that waits or hangs. */
  release(): void
}

export function createFaultInjector(random: () => number): FaultInjector {
  let fault: Fault = {}
  const held = new Set<ServerResponse>()

  function hold(response: ServerResponse): void {
    held.add(response)
    response.once('close', () => held.delete(response))
  }

  function wait(response: ServerResponse, ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        held.delete(response)
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
        response.end('{"error":"fault","detail":"this failure was asked for"}')
        return false
      }
      if (garbage) {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end('{"data":[{"sku":42,<<garbage>>')
        return false
      }
      return true
    },
    async afterWork(response, operation, ownMs) {
      const { drop_after = 0, late_ms = 0, late_rate = 1 } = faultOf(operation)
      if (drop_after > 0 && random() < drop_after) {
        response.destroy()
        return false
      }
      const isLate = late_ms > 0 && (late_rate >= 1 || random() < late_rate)
      const ms = ownMs + (isLate ? late_ms : 0)
      return ms === 0 || wait(response, ms)
    },
    release() {
      for (const response of held) response.destroy()
      held.clear()
    },
  }
}

/** Numbers in 0..1 that repeat at every start (mulberry32), so that a demonstration does too. */
export function createSeededRandom(seed = 1): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
