import { sql } from 'kysely'
import { chunkRows } from './chunk-rows.ts'
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
  /** The caller holds the key as `holder`. `applied`: the result of a write whose response was never stored, or `null`. */
  | { state: 'claimed'; holder: string; applied: unknown }
  | { state: 'done'; response: StoredResponse }
  | { state: 'in_flight' }
  /** The key belongs to another request. */
  | { state: 'reused' }

/** How often a claim is retried when the key is released or deleted at the same instant. */
const MAX_ATTEMPTS = 5

/** `holder`: unique for each claim. A request that lost its claim to a later one can no longer write under it. Times are RFC 3339, UTC. */
export interface ClaimTerms {
  holder: string
  now: string
  /** After this time another request may take the key over, unless the claim is renewed. */
  until: string
  expires: string
}

/** Claims a key for a request unless it is taken. */
export async function claimIdempotencyKey(
  db: Database,
  request: IdempotentRequest,
  terms: ClaimTerms,
): Promise<IdempotencyClaim> {
  for (let attempt = 1; ; attempt += 1) {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('idempotency_keys')
      .values({
        ...request,
        state: 'in_flight',
        locked_until: formatLock(terms.until, terms.holder),
        holder: terms.holder,
        applied: null,
        status: null,
        body: null,
        created_at: terms.now,
        expires_at: terms.expires,
      })
      .onConflict((conflict) => conflict.column('digest').doNothing())
      .executeTakeFirst()
    if (numInsertedOrUpdatedRows === 1n) return { state: 'claimed', holder: terms.holder, applied: null }
    const claim = await claimExistingKey(db, request, terms)
    if (claim || attempt === MAX_ATTEMPTS) return claim ?? { state: 'in_flight' }
  }
}

/** Returns `null` when the key has just been released, or had expired and is deleted now. */
async function claimExistingKey(
  db: Database,
  { digest, fingerprint }: IdempotentRequest,
  { holder, now, until }: ClaimTerms,
): Promise<IdempotencyClaim | null> {
  const row = await db.selectFrom('idempotency_keys').selectAll().where('digest', '=', digest).executeTakeFirst()
  if (!row) return null
  if (row.expires_at <= now) {
    const expired = db.deleteFrom('idempotency_keys').where('digest', '=', digest)
    await expired.where('expires_at', '=', row.expires_at).execute()
    return null
  }
  if (row.fingerprint !== fingerprint) return { state: 'reused' }
  if (row.state === 'done') return { state: 'done', response: { status: row.status!, ...parseResponse(row.body!) } }
  if (row.locked_until.split(' ')[0]! > now) return { state: 'in_flight' }
  const { numUpdatedRows } = await db
    .updateTable('idempotency_keys')
    .set({ holder, locked_until: formatLock(until, holder) })
    .where('digest', '=', digest)
    .where('locked_until', '=', row.locked_until)
    .where('holder', row.holder === null ? 'is' : '=', row.holder)
    .where('state', '!=', 'done')
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) return { state: 'in_flight' }
  return { state: 'claimed', holder, applied: row.applied === null ? null : (JSON.parse(row.applied) as unknown) }
}

/** Records the result of a write, in the write's own transaction. `false`: the claim is lost, and the write must not happen. */
export async function recordAppliedWrite(
  db: Database,
  digest: string,
  holder: string,
  applied: unknown,
): Promise<boolean> {
  const change = { state: 'applied' as const, applied: JSON.stringify(applied) }
  const { numUpdatedRows } = await updateHeld(db, digest, holder).set(change).executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Stores the response of a request. `false`: the claim is lost. */
export async function storeIdempotentResponse(
  db: Database,
  digest: string,
  holder: string,
  response: StoredResponse,
): Promise<boolean> {
  const { status, body, headers } = response
  const change = { state: 'done' as const, status, body: JSON.stringify({ body, headers }) }
  const { numUpdatedRows } = await updateHeld(db, digest, holder).set(change).executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Releases a key without a response. It is deleted, or, when its write was applied, it may be claimed again at once. */
export async function releaseIdempotencyKey(db: Database, digest: string, holder: string, now: string): Promise<void> {
  const unused = db.deleteFrom('idempotency_keys').where('digest', '=', digest).where('holder', '=', holder)
  await unused.where(isStillHeld).where('state', '=', 'in_flight').execute()
  await updateHeld(db, digest, holder).set({ locked_until: now }).where('state', '=', 'applied').execute()
}

/** Renews the claims that these holders still have. */
export async function renewIdempotencyClaims(
  db: Database,
  digestByHolder: ReadonlyMap<string, string>,
  until: string,
): Promise<void> {
  for (const holders of chunkRows([...digestByHolder.keys()]))
    await db
      .updateTable('idempotency_keys')
      .set({ locked_until: sql<string>`${formatLock(until, '')} || holder` })
      .where(
        'digest',
        'in',
        holders.map((holder) => digestByHolder.get(holder)!),
      )
      .where('holder', 'in', holders)
      .where(isStillHeld)
      .where('state', '!=', 'done')
      .execute()
}

const updateHeld = (db: Database, digest: string, holder: string) =>
  db
    .updateTable('idempotency_keys')
    .where('digest', '=', digest)
    .where('holder', '=', holder)
    .where(isStillHeld)
    .where('state', '!=', 'done')

/** A server of release 0.2.0 takes a key over by writing a time alone into `locked_until`, and leaves `holder` as it was. */
const isStillHeld = sql<boolean>`locked_until like '% ' || holder`
const formatLock = (until: string, holder: string) => `${until} ${holder}`

const parseResponse = (json: string) => JSON.parse(json) as Pick<StoredResponse, 'body' | 'headers'>
