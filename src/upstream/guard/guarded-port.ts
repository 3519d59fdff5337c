import { UpstreamError } from '../../errors.ts'
import type { Call } from '../../ports/call.ts'
import type { CallingRequest } from '../request/calling-request.ts'
import type { CallPriority } from './call-priority.ts'
import { type Guard, type RunningCall, rejectedCall } from './guard.ts'

/** A port behind its guard. */
export interface GuardedPort<P> {
  port: P
  guard: Guard
  /** Guards searches: slow ones must not open the circuit of the other calls. */
  searchGuard?: Guard | undefined
}

/** Calls a port's read through its guard. Fails with `not_configured` when the tenant has no such system. */
export function throughGuard<P, T>(
  system: GuardedPort<P> | undefined,
  operation: string,
  priority: CallPriority,
  { requestId, recorder }: CallingRequest,
  read: (port: P, call: Call) => Promise<T>,
): RunningCall<T> {
  if (!system) return rejectedCall(new UpstreamError('not_configured', 'not there'))
  const { port, guard, searchGuard = guard } = system
  const chosen = priority === 'search' ? searchGuard : guard
  return chosen.run({ requestId, recorder, operation, priority, read: true, work: (call) => read(port, call) })
}
