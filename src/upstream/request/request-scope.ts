import type { MirrorProduct } from '../../catalog/mirror/file/mirror-row.ts'
import { UpstreamError } from '../../errors.ts'
import type { SourceName } from '../../ports/system.ts'
import type { CallTrace } from './call-trace.ts'
import type { CallingRequest } from './calling-request.ts'
import type { RequestedFaults } from './requested-faults.ts'
import { createResponseTags, type ResponseTags } from './response-tags.ts'
import type { TraceRecorder } from './trace-recorder.ts'

/** Returns the error of a read that a request no longer waits for. */
export function leaveError(system: SourceName, outOfTime: boolean): UpstreamError {
  if (!outOfTime) return new UpstreamError('aborted', 'the caller left')
  const cause = 'the request had no time left'
  return new UpstreamError('timeout', `${system}: ${cause}`, { summary: cause })
}

export type LeaveListener = (outOfTime: boolean) => void

/** One request, or one background refresh, with its deadline, as the readers see it. */
export interface RequestScope extends CallingRequest {
  readonly faults: RequestedFaults
  readonly tags: ResponseTags
  /** The rows of the catalog mirror that it has read: it sees each of them in one state. */
  readonly mirrorRows: Map<string, MirrorProduct | null>
  /** Milliseconds since the epoch: a response made of what was read may not be served from a cache after this. */
  readonly cacheableUntil: number
  /** Lowers `cacheableUntil` to `untilMs`. */
  limitCaching(untilMs: number): void
  /** The calls that were made for it, alone or shared with other requests. */
  readonly calls: Set<CallTrace>
  /** Milliseconds until the response must be assembled: the total time limit, less the time spent, less a reserve for assembling. */
  leftMs(): number
  /** Runs once when the request no longer waits: its caller left, a required section failed, or its time was up. */
  onLeave(listener: LeaveListener): void
  offLeave(listener: LeaveListener): void
  leave(): void
}

export interface TimeBudget {
  /** From the arrival of a request to its response. */
  totalMs: number
  /** Reserved for assembling and sending the response. */
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
  let hasLeft = false
  let timer: NodeJS.Timeout | undefined
  let cacheableUntil = Number.POSITIVE_INFINITY

  function notify(outOfTime: boolean): void {
    clearTimeout(timer)
    const leaving = [...listeners]
    listeners.clear()
    for (const listener of leaving) listener(outOfTime)
  }

  return {
    requestId: of.requestId,
    recorder: of.recorder,
    faults: of.faults ?? {},
    tags: createResponseTags(),
    mirrorRows: new Map(),
    get cacheableUntil() {
      return cacheableUntil
    },
    limitCaching(untilMs) {
      cacheableUntil = Math.min(cacheableUntil, untilMs)
    },
    calls: of.calls ?? new Set(),
    leftMs: () => endsAt - now(),
    onLeave(listener) {
      const leftMs = endsAt - now()
      if (hasLeft || leftMs <= 0) return listener(!hasLeft)
      // One timer for all sections that wait.
      if (listeners.size === 0) timer = setTimeout(notify, leftMs, true)
      listeners.add(listener)
    },
    offLeave(listener) {
      if (listeners.delete(listener) && listeners.size === 0) clearTimeout(timer)
    },
    leave() {
      hasLeft = true
      notify(false)
    },
  }
}
