import type { Database } from '../../storage/database.ts'
import { recordAppliedWrite, storeIdempotentResponse } from '../../storage/idempotency-keys.ts'
import { createInFlightError } from './in-flight-error.ts'
import type { ResponseEncryption } from './response-encryption.ts'

/** The Idempotency-Key of a request, for a write to record in its own transaction. A write that is recorded is not done again. */
export interface IdempotencyHandle {
  /** The record of an earlier attempt whose client never got a response; otherwise `null`. */
  readonly applied: unknown
  recordApplied(transaction: Database, applied: unknown): Promise<void>
  /** Stores the response in the transaction of the write that it reports. */
  storeResponse(transaction: Database, status: number, body: object): Promise<void>
  /** Frees the key without storing a response: the next request with it is processed again. */
  release(): void
}

export interface ReleasableHandle extends IdempotencyHandle {
  isReleased: boolean
}

/** Throws `idempotency_in_flight` from its writes, which undoes their transaction, when another request took the key over. */
export function createIdempotencyHandle(
  digest: string,
  holder: string,
  applied: unknown,
  encryption: ResponseEncryption,
): ReleasableHandle {
  const assertOwned = (isOwned: boolean) => {
    if (isOwned) return
    handle.isReleased = true
    throw createInFlightError()
  }
  const handle: ReleasableHandle = {
    applied,
    isReleased: false,
    async recordApplied(transaction, written) {
      assertOwned(await recordAppliedWrite(transaction, digest, holder, written))
    },
    async storeResponse(transaction, status, body) {
      const response = encryption.seal({ status, body: JSON.stringify(body), headers: {} }, digest)
      assertOwned(await storeIdempotentResponse(transaction, digest, holder, response))
    },
    release() {
      handle.isReleased = true
    },
  }
  return handle
}
