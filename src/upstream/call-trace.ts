import type { UpstreamFailure } from '../errors.ts'
import type { Source } from '../ports/system.ts'

/** One question to one system, as it is told of afterwards. Several requests may share it, and one request may ask several. */
export interface CallTrace {
  system: Source
  /** What was asked for: `item`, `price`, `search`, `placeOrder` … */
  operation: string
  /** Milliseconds since the epoch: when it was asked. */
  at: number
  /** Of its time, in line for a place. */
  queuedMs: number
  /** From asking to the end; `null`: it is under way. */
  ms: number | null
  /** How often it was sent: 0 when the circuit was open or the line full, 2 when it was retried. */
  attempts: number
  outcome: 'ok' | UpstreamFailure | 'pending'
  /** What is known of the failure, in words of our own (`answered 503`, `ECONNREFUSED`): never what the system said. */
  cause: string | null
}
