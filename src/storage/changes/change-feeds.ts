import type { Selectable } from 'kysely'
import type { Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'
import { isPostgresDatabase } from '../is-postgres-database.ts'
import type { Tables } from '../tables.ts'
import { type TenantColumns, tenantColumns } from '../tenant-columns.ts'

/** One source of a tenant's change feed. */
export interface FeedKey extends Tenant {
  source: string
}

export interface FeedRow extends TenantColumns {
  source: string
  watermark: string | null
  reached_at: string
  began_at: string
  /** `true` until all rows that existed when the feed began have been read once. */
  baseline: boolean
}

/** Returns the feed. A new one begins now. */
export async function findOrCreateFeed(db: Database, key: FeedKey, now: string): Promise<FeedRow> {
  await db
    .insertInto('feeds')
    .values({ ...tenantColumns(key), source: key.source, watermark: null, reached_at: now, began_at: now, baseline: 1 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return toFeed(await selectFeed(db, key).executeTakeFirstOrThrow())
}

/** Returns the feed as it is now; `null`: it was deleted. */
export async function findFeed(db: Database, key: FeedKey): Promise<FeedRow | null> {
  const row = await selectFeed(db, key).executeTakeFirst()
  return row ? toFeed(row) : null
}

/** Returns the feed, locked until the transaction ends, or `null` when it was deleted. */
export async function lockFeed(transaction: Database, key: FeedKey): Promise<FeedRow | null> {
  const query = selectFeed(transaction, key)
  const row = await (isPostgresDatabase(transaction) ? query.forUpdate() : query).executeTakeFirst()
  return row ? toFeed(row) : null
}

export async function setFeedWatermark(
  db: Database,
  key: FeedKey,
  watermark: string,
  reachedAt: string,
): Promise<void> {
  await updateFeed(db, key, { watermark, reached_at: reachedAt })
}

/** Ends the reading of what existed when the feed began, unless the feed was restarted since it reached the watermark. */
export async function endFeedBaseline(db: Database, key: FeedKey, watermark: string | null): Promise<void> {
  await updatesOf(db, key).set({ baseline: 0 }).where('watermark', 'is not distinct from', watermark).execute()
}

/** Makes a feed read all rows once again. It reports no product that it does not know yet. */
export async function restartFeed(db: Database, key: FeedKey): Promise<void> {
  await updateFeed(db, key, { baseline: 1, watermark: null })
}

/** Makes feeds of a tenant read all rows from the beginning, as if they were new. Rows that are equal cause no event. */
export async function restartFeeds(
  db: Database,
  { merchant, mode }: Tenant,
  sources: readonly string[],
): Promise<void> {
  await db
    .updateTable('feeds')
    .set({ baseline: 1, watermark: null })
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .where('source', 'in', sources)
    .execute()
}

async function updateFeed(db: Database, key: FeedKey, set: Partial<Tables['feeds']>): Promise<void> {
  await updatesOf(db, key).set(set).execute()
}

const updatesOf = (db: Database, { merchant, mode, source }: FeedKey) =>
  db.updateTable('feeds').where('tenant_id', '=', merchant).where('mode', '=', mode).where('source', '=', source)

function selectFeed(db: Database, { merchant, mode, source }: FeedKey) {
  const feeds = db.selectFrom('feeds').selectAll().where('tenant_id', '=', merchant)
  return feeds.where('mode', '=', mode).where('source', '=', source)
}

const toFeed = (row: Selectable<Tables['feeds']>): FeedRow => ({ ...row, baseline: row.baseline === 1 })
