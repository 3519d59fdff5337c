import type { Database } from './database.ts'

/** A request with a key, as it is known by: digests of whose key it is and of what it asks. */
export interface IdempotentRequest {
  digest: string
  tenant_id: string
  fingerprint: string
}

/** What is sent again when the request is. */
export interface StoredResponse {
  status: number
  /** As it was sent, to the byte; `null`: none. */
  body: string | null
  headers: Record<string, string>
}

export type IdempotencyClaim =
  /** It is ours until then. `applied`: what a request that never got its answer left, or `null`. */
  | { state: 'claimed'; lock: string; applied: unknown }
  | { state: 'done'; answer: StoredResponse }
  | { state: 'in_flight' }
  /** The key is that of another request. */
  | { state: 'reused' }

/** How often a key that is let go of in the same instant is asked for again. */
const TRIES = 5

/** Takes a key for a request, unless it is taken. All times are RFC 3339, UTC. */
export async function claimIdempotencyKey(
  db: Database,
  request: IdempotentRequest,
  { now, lock, expires }: { now: string; lock: string; expires: string },
): Promise<IdempotencyClaim> {
  for (let tries = 1; ; tries += 1) {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('idempotency_keys')
      .values({
        ...request,
        ...{ state: 'in_flight', locked_until: lock, applied: null, status: null, body: null },
        ...{ created_at: now, expires_at: expires },
      })
      .onConflict((conflict) => conflict.column('digest').doNothing())
      .executeTakeFirst()
    if (numInsertedOrUpdatedRows === 1n) return { state: 'claimed', lock, applied: null }
    const claim = await claimKnown(db, request, now, lock)
    if (claim || tries === TRIES) return claim ?? { state: 'in_flight' }
  }
}

/** `null`: the key has just been let go of, or is too old to count. */
async function claimKnown(
  db: Database,
  request: IdempotentRequest,
  now: string,
  lock: string,
): Promise<IdempotencyClaim | null> {
  const { digest, fingerprint } = request
  const row = await db.selectFrom('idempotency_keys').selectAll().where('digest', '=', digest).executeTakeFirst()
  if (!row) return null
  if (row.expires_at <= now) {
    const old = db.deleteFrom('idempotency_keys').where('digest', '=', digest)
    await old.where('expires_at', '=', row.expires_at).execute()
    return null
  }
  if (row.fingerprint !== fingerprint) return { state: 'reused' }
  if (row.state === 'done') return { state: 'done', answer: { status: row.status!, ...opened(row.body!) } }
  if (row.locked_until > now) return { state: 'in_flight' }
  const { numUpdatedRows } = await held(db, digest, row.locked_until).set({ locked_until: lock }).executeTakeFirst()
  if (numUpdatedRows !== 1n) return { state: 'in_flight' }
  return { state: 'claimed', lock, applied: row.applied === null ? null : (JSON.parse(row.applied) as unknown) }
}

/** Notes what a write leaves, in its own transaction. `false`: the key is another's by now, and the write must not be done. */
export async function recordAppliedWrite(
  db: Database,
  digest: string,
  lock: string,
  applied: unknown,
): Promise<boolean> {
  const change = { state: 'applied' as const, applied: JSON.stringify(applied) }
  const { numUpdatedRows } = await held(db, digest, lock).set(change).executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Keeps the answer. `false`: the key is another's by now. */
export async function storeIdempotentResponse(
  db: Database,
  digest: string,
  lock: string,
  answer: StoredResponse,
): Promise<boolean> {
  const { status, body, headers } = answer
  const change = { state: 'done' as const, status, body: JSON.stringify({ body, headers }) }
  const { numUpdatedRows } = await held(db, digest, lock).set(change).executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Lets go of a key without an answer: it is forgotten, or, when its write was done, it may be taken up again at once. */
export async function releaseIdempotencyKey(db: Database, digest: string, lock: string, now: string): Promise<void> {
  const unanswered = db.deleteFrom('idempotency_keys').where('digest', '=', digest).where('locked_until', '=', lock)
  await unanswered.where('state', '=', 'in_flight').execute()
  await held(db, digest, lock).set({ locked_until: now }).where('state', '=', 'applied').execute()
}

const held = (db: Database, digest: string, lock: string) =>
  db
    .updateTable('idempotency_keys')
    .where('digest', '=', digest)
    .where('locked_until', '=', lock)
    .where('state', '!=', 'done')

const opened = (kept: string) => JSON.parse(kept) as Pick<StoredResponse, 'body' | 'headers'>
