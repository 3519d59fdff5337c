import type { Database } from '../storage/database.ts'

/** Lets a write record in its own transaction that it was applied, so that a retry of the request does not apply it again. */
export interface AppliedWriteRecord {
  /** The record of an earlier request whose response was lost; `null` on the first attempt. */
  readonly applied: unknown
  recordApplied(transaction: Database, applied: unknown): Promise<void>
}
