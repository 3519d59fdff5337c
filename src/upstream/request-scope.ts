import { UpstreamError, type UpstreamFailure } from '../errors.ts'
import type { PortName } from '../ports/system.ts'
import type { CallTrace } from './call-trace.ts'
import type { Caller, TraceRecorder } from './trace-recorder.ts'

/** Failures that a sandbox key asked for, by system, for one request. */
export type RequestedFaults = Partial<Record<PortName, UpstreamFailure>>

/** The failure that a sandbox key asked for. */
export function simulatedFailure(fault: UpstreamFailure, system: PortName): UpstreamError {
  const said = 'asked for by X-Sandbox-Fault'
  return new UpstreamError(fault, said, { said, simulated: true, system })
}

export type LeaveListener = (outOfTime: boolean) => void

/** One storefront request, or one refresh behind it, as the sources of its sections see it. */
export interface RequestScope extends Caller {
  readonly faults: RequestedFaults
  /** What the answer is made of: SKUs, and LISTS of catalog/expiries.ts. */
  readonly tags: Set<string>
  /** What was asked of the systems for it, alone or together with others. */
  readonly calls: Set<CallTrace>
  /** Milliseconds until the answer must be assembled: the total, less what is spent, less a reserve for assembling. */
  leftMs(): number
  /** Called once when the asker no longer waits: it left, a required section failed, or its time was up. */
  onLeave(listener: LeaveListener): void
  offLeave(listener: LeaveListener): void
  leave(): void
}

export interface TimeBudget {
  /** From the request's arrival to its answer. */
  totalMs: number
  /** Kept back from the sections for assembling and sending. */
  reserveMs: number
}

export function createRequestScope(
  of: {
    requestId: string
    faults?: RequestedFaults
    startedAt?: number
    calls?: Set<CallTrace>
    recorder?: TraceRecorder | undefined
  },
  budget: TimeBudget,
  now: () => number = Date.now,
): RequestScope {
  const endsAt = (of.startedAt ?? now()) + budget.totalMs - budget.reserveMs
  const listeners = new Set<LeaveListener>()
  let left = false
  let timer: NodeJS.Timeout | undefined

  function tell(outOfTime: boolean): void {
    clearTimeout(timer)
    const told = [...listeners]
    listeners.clear()
    for (const listener of told) listener(outOfTime)
  }

  return {
    requestId: of.requestId,
    recorder: of.recorder,
    faults: of.faults ?? {},
    tags: new Set(),
    calls: of.calls ?? new Set(),
    leftMs: () => endsAt - now(),
    onLeave(listener) {
      const leftMs = endsAt - now()
      if (left || leftMs <= 0) return listener(!left)
      // One timer for all that wait at a time, however many sections they are.
      if (listeners.size === 0) timer = setTimeout(tell, leftMs, true)
      listeners.add(listener)
    },
    offLeave(listener) {
      if (listeners.delete(listener) && listeners.size === 0) clearTimeout(timer)
    },
    leave() {
      left = true
      tell(false)
    },
  }
}
