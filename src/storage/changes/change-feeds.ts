import type { Selectable } from 'kysely'
import type { Mode } from '../../config/config.ts'
import type { Database } from '../database.ts'
import { hasRowLocks } from '../row-locks.ts'
import type { Tables } from '../tables.ts'

/** One source of one merchant's change feed. */
export interface FeedKey {
  tenant_id: string
  mode: Mode
  source: string
}

export interface FeedRow extends FeedKey {
  watermark: string | null
  reached_at: string
  began_at: string
  /** Until all that was there at the beginning has been seen once. */
  baseline: boolean
}

/** The feed as it stands, begun now where there is none. */
export async function findOrCreateFeed(db: Database, key: FeedKey, now: string): Promise<FeedRow> {
  await db
    .insertInto('feeds')
    .values({ ...key, watermark: null, reached_at: now, began_at: now, baseline: 1 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return recordOf(await found(db, key).executeTakeFirstOrThrow())
}

/** Held to the end of the transaction. `null`: there is none any more. */
export async function lockFeed(transaction: Database, key: FeedKey): Promise<FeedRow | null> {
  const query = found(transaction, key)
  const row = await (hasRowLocks(transaction) ? query.forUpdate() : query).executeTakeFirst()
  return row ? recordOf(row) : null
}

export async function setFeedWatermark(
  db: Database,
  key: FeedKey,
  watermark: string,
  reachedAt: string,
): Promise<void> {
  await change(db, key, { watermark, reached_at: reachedAt })
}

export async function endFeedBaseline(db: Database, key: FeedKey): Promise<void> {
  await change(db, key, { baseline: 0 })
}

async function change(db: Database, { tenant_id, mode, source }: FeedKey, set: Partial<Tables['feeds']>) {
  const feeds = db.updateTable('feeds').set(set).where('tenant_id', '=', tenant_id)
  await feeds.where('mode', '=', mode).where('source', '=', source).execute()
}

function found(db: Database, { tenant_id, mode, source }: FeedKey) {
  const feeds = db.selectFrom('feeds').selectAll().where('tenant_id', '=', tenant_id)
  return feeds.where('mode', '=', mode).where('source', '=', source)
}

const recordOf = (row: Selectable<Tables['feeds']>): FeedRow => ({ ...row, baseline: row.baseline === 1 })
