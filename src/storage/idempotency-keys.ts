import type { Database } from './database.ts'

/** A request with an idempotency key, identified by digests. */
export interface IdempotentRequest {
  /** Digest of the key and the customer that sent it. */
  digest: string
  tenant_id: string
  /** Digest of the request's content. */
  fingerprint: string
}

/** A response that is sent again for a repeated request. */
export interface StoredResponse {
  status: number
  /** The exact bytes that were sent, as text; `null`: no body. */
  body: string | null
  headers: Record<string, string>
}

export type IdempotencyClaim =
  /** The caller holds the key until `lock`. `applied`: the result of a write whose response was never stored, or `null`. */
  | { state: 'claimed'; lock: string; applied: unknown }
  | { state: 'done'; answer: StoredResponse }
  | { state: 'in_flight' }
  /** The key belongs to another request. */
  | { state: 'reused' }

/** How often a claim is retried when the key is released or deleted at the same instant. */
const MAX_ATTEMPTS = 5

/** Claims a key for a request unless it is taken. All times are RFC 3339, UTC. */
export async function claimIdempotencyKey(
  db: Database,
  request: IdempotentRequest,
  { now, lock, expires }: { now: string; lock: string; expires: string },
): Promise<IdempotencyClaim> {
  for (let attempt = 1; ; attempt += 1) {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('idempotency_keys')
      .values({
        ...request,
        state: 'in_flight',
        locked_until: lock,
        applied: null,
        status: null,
        body: null,
        created_at: now,
        expires_at: expires,
      })
      .onConflict((conflict) => conflict.column('digest').doNothing())
      .executeTakeFirst()
    if (numInsertedOrUpdatedRows === 1n) return { state: 'claimed', lock, applied: null }
    const claim = await claimExistingKey(db, request, now, lock)
    if (claim || attempt === MAX_ATTEMPTS) return claim ?? { state: 'in_flight' }
  }
}

/** Returns `null` when the key has just been released, or had expired and is deleted now. */
async function claimExistingKey(
  db: Database,
  request: IdempotentRequest,
  now: string,
  lock: string,
): Promise<IdempotencyClaim | null> {
  const { digest, fingerprint } = request
  const row = await db.selectFrom('idempotency_keys').selectAll().where('digest', '=', digest).executeTakeFirst()
  if (!row) return null
  if (row.expires_at <= now) {
    const expired = db.deleteFrom('idempotency_keys').where('digest', '=', digest)
    await expired.where('expires_at', '=', row.expires_at).execute()
    return null
  }
  if (row.fingerprint !== fingerprint) return { state: 'reused' }
  if (row.state === 'done') return { state: 'done', answer: { status: row.status!, ...parseResponse(row.body!) } }
  if (row.locked_until > now) return { state: 'in_flight' }
  const takeOver = updateLocked(db, digest, row.locked_until).set({ locked_until: lock })
  const { numUpdatedRows } = await takeOver.executeTakeFirst()
  if (numUpdatedRows !== 1n) return { state: 'in_flight' }
  return { state: 'claimed', lock, applied: row.applied === null ? null : (JSON.parse(row.applied) as unknown) }
}

/** Records the result of a write, in the write's own transaction. `false`: the lock is lost, and the write must not happen. */
export async function recordAppliedWrite(
  db: Database,
  digest: string,
  lock: string,
  applied: unknown,
): Promise<boolean> {
  const change = { state: 'applied' as const, applied: JSON.stringify(applied) }
  const { numUpdatedRows } = await updateLocked(db, digest, lock).set(change).executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Stores the response of a request. `false`: the lock is lost. */
export async function storeIdempotentResponse(
  db: Database,
  digest: string,
  lock: string,
  answer: StoredResponse,
): Promise<boolean> {
  const { status, body, headers } = answer
  const change = { state: 'done' as const, status, body: JSON.stringify({ body, headers }) }
  const { numUpdatedRows } = await updateLocked(db, digest, lock).set(change).executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Releases a key without a response. It is deleted, or, when its write was applied, it may be claimed again at once. */
export async function releaseIdempotencyKey(db: Database, digest: string, lock: string, now: string): Promise<void> {
  const unused = db.deleteFrom('idempotency_keys').where('digest', '=', digest).where('locked_until', '=', lock)
  await unused.where('state', '=', 'in_flight').execute()
  await updateLocked(db, digest, lock).set({ locked_until: now }).where('state', '=', 'applied').execute()
}

const updateLocked = (db: Database, digest: string, lock: string) =>
  db
    .updateTable('idempotency_keys')
    .where('digest', '=', digest)
    .where('locked_until', '=', lock)
    .where('state', '!=', 'done')

const parseResponse = (json: string) => JSON.parse(json) as Pick<StoredResponse, 'body' | 'headers'>
