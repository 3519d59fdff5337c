import type { Call } from '../../ports/call.ts'
import type { PortName } from '../../ports/system.ts'
import type { CallPriority } from '../guard/call-priority.ts'
import type { Guard } from '../guard/guard.ts'
import type { RequestScope } from '../request/request-scope.ts'
import { simulatedFailure } from '../request/requested-faults.ts'

/** How a call that bypasses the cache is made. */
export interface LiveCallOptions {
  requestScope: RequestScope
  priority: CallPriority
  /** Time limit of the call; the guard's own if left out. */
  timeoutMs?: number
  /** Extends the guard's time limit to this, where that is shorter. */
  patienceMs?: number
  /** It changes something: it goes on when the caller leaves. */
  write?: boolean
  /** No request waits for the response. */
  background?: boolean
}

/** Calls a system for this caller alone: nothing is cached, shared or filled from before. Rejects with UpstreamError. */
export async function runLiveCall<V>(
  { system, operation }: { system: PortName; operation: string },
  guard: Guard,
  options: LiveCallOptions,
  work: (call: Call) => Promise<V>,
): Promise<V> {
  const { requestScope: scope, priority, patienceMs = 0, write = false, background = false } = options
  const fault = scope.faults[system]
  if (fault) throw simulatedFailure(fault, system)
  const running = guard.run({
    requestId: scope.requestId,
    recorder: scope.recorder,
    operation,
    priority,
    read: !write,
    background,
    timeoutMs: options.timeoutMs ?? Math.max(patienceMs, guard.limits.timeoutMs),
    work,
  })
  for (const call of running.calls) scope.calls.add(call)
  if (write) return running.answer
  const onLeave = (outOfTime: boolean) => running.abandon(outOfTime)
  scope.onLeave(onLeave)
  try {
    return await running.answer
  } finally {
    scope.offLeave(onLeave)
  }
}
