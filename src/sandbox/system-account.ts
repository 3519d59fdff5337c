import type { OperationHandlers } from './protocol/operation-handlers.ts'
import type { SandboxSystem } from './protocol/upstream-protocol.ts'

/** Makes a change requested by the control API: the key from the path, and the validated body. Returns the stored document. */
export type ControlChange = (key: string, body: unknown) => object

/** One account in one system: its operations, and the changes and reads of the control API. */
export interface SystemAccount<S extends SandboxSystem> {
  handlers: OperationHandlers<S>
  controlChanges: Record<string, ControlChange>
  /** Reads of the control API, by the first segment of the path; the second one is the key. */
  controlReads?: Record<string, (key: string | undefined) => object>
  /** Returns the delay of the response that was just created, and resets it to 0. */
  takeResponseDelayMs?: () => number
}
