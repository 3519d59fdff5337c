import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { UpstreamError } from '../../errors.ts'
import type { ChangeTimestamp } from '../../ports/change-feed.ts'
import {
  endFeedBaseline,
  type FeedKey,
  type FeedRow,
  findFeed,
  findOrCreateFeed,
  lockFeed,
  setFeedWatermark,
} from '../../storage/changes/change-feeds.ts'
import { isStoreUnavailable } from '../../storage/store-errors.ts'
import { transactInBackground } from '../../storage/transact-in-background.ts'
import type { ChangeJob, ChangeJobContext } from './change-job.ts'
import { parseChangeTime, readChangePages } from './change-pager.ts'
import type { ChangeSource } from './change-source.ts'
import { invalidateSkus, joinSkusToInvalidate, noSkusToInvalidate, type SkusToInvalidate } from './invalidate-skus.ts'

const PAGE_ROWS = 200
/** Rows in one transaction. Small, since other transactions wait for it. */
const CHUNK_ROWS = 50
/** A change further in the future is applied, but does not move the watermark. */
const MAX_AHEAD_MS = 86_400_000
/** While the watermark is ahead of our clock, the feed looks back for rows with a correct time at this interval. */
const LOOK_BACK_INTERVAL_MS = 600_000

/** Another process has moved this feed's watermark since it was read here. */
class FeedMovedError extends Error {}

/**
 * Consumes one source: each run reads from the watermark to the newest change. Rows may become visible late, so a run starts before the
 * watermark until a run that began long enough after the watermark was reached finds nothing newer. After that it starts strictly after the
 * watermark, so that a large last batch of a quiet system is not read forever. A watermark ahead of our clock may be a clock error; once
 * that is corrected, new rows come before the watermark, so the feed looks back for them from time to time.
 */
export function createChangeSourceJob<T extends ChangeTimestamp>(
  context: ChangeJobContext,
  source: ChangeSource<T>,
): ChangeJob {
  const { db, now, tenant, parts } = context
  const key: FeedKey = { ...tenant, source: source.name }
  const overlapMs = context.backOffice.changes.overlapSeconds(source.system) * 1_000
  const part = toCatalogPart(source.name)
  let feed: FeedRow | null = null
  /** The watermark before which no row can appear any more. */
  let finalWatermark: string | null = null
  /** The watermark at the start of the previous run: a long run may have passed rows before they became visible. */
  let previousStart: string | null = null
  /** The last look back while the watermark is ahead of our clock; by our clock. */
  let lookedBackAt: number | null = null

  const instant = () => new Date(now()).toISOString()

  function computeStart({ watermark, reached_at, baseline }: FeedRow): number {
    if (watermark === null) return 0
    const mark = Date.parse(watermark)
    if (baseline) return mark
    const start =
      finalWatermark === watermark ? mark + 1 : Math.min(mark, Date.parse(previousStart ?? watermark)) - overlapMs
    const isAhead = mark > now()
    if (isAhead) lookedBackAt ??= Date.parse(reached_at)
    const isWaiting = lookedBackAt === null || (isAhead && now() - lookedBackAt < LOOK_BACK_INTERVAL_MS)
    return Math.max(0, isWaiting ? start : Math.min(start, lookedBackAt! - overlapMs))
  }

  async function run(): Promise<void> {
    try {
      if (!feed && part !== null && part !== 'prices') await parts.start(part)
      // An operator may have restarted it.
      feed = (feed && (await findFeed(db, key))) ?? (await findOrCreateFeed(db, key, instant()))
      await readChanges()
    } catch (error) {
      feed = null
      if (error instanceof UpstreamError) await recordFailure(error)
      if (!(error instanceof FeedMovedError)) throw error
    }
  }

  async function recordFailure(error: UpstreamError): Promise<void> {
    if (error.failure === 'not_configured') parts.setOffered(source.name, false)
    if (part !== null) await parts.fail(part, source.name, error)
  }

  async function recordRead(startedAt: number): Promise<void> {
    parts.setOffered(source.name, true)
    const asOf = new Date(startedAt).toISOString()
    if (part !== null) await parts.succeed(part, source.name, { asOf, isFilled: part !== 'prices' })
  }

  async function readChanges(): Promise<void> {
    const startedAt = now()
    const { watermark, reached_at, baseline } = feed!
    const from = computeStart(feed!)
    if (!baseline) previousStart = watermark
    let calledAt = instant()
    const pages = readChangePages<T>({
      from,
      limit: PAGE_ROWS,
      idOf: source.idOf,
      read(query) {
        calledAt = instant()
        return source.read(query, context.requestScope())
      },
    })
    for await (const rows of pages) {
      if (!context.canContinue()) return
      await applyPage(rows, calledAt)
      if (!context.canContinue()) return
    }
    if (lookedBackAt !== null && from < lookedBackAt)
      lookedBackAt = Date.parse(watermark!) > startedAt ? startedAt : null
    if (baseline) {
      await endFeedBaseline(db, key, feed!.watermark)
      feed = null
    } else if (feed!.watermark === watermark && startedAt >= Date.parse(reached_at) + overlapMs)
      finalWatermark = watermark
    await recordRead(startedAt)
  }

  async function applyPage(rows: readonly T[], calledAt: string): Promise<void> {
    for (let from = 0; from < rows.length; from += CHUNK_ROWS) {
      invalidateSkus(context, await applyChunk(rows.slice(from, from + CHUNK_ROWS), calledAt))
      // The store's calls may complete without yielding to the event loop.
      await yieldToEventLoop()
    }
  }

  /** Applies rows one by one if a chunk fails, and skips a row that cannot be stored, so that it does not block the feed. */
  async function applyChunk(rows: readonly T[], calledAt: string, isSkipped = false): Promise<SkusToInvalidate> {
    try {
      return await writeChunk(rows, calledAt, isSkipped)
    } catch (error) {
      if (!isRowError(error) || isSkipped) throw error
      if (rows.length === 1) {
        context.onError(error)
        return applyChunk(rows, calledAt, true)
      }
      const results: SkusToInvalidate[] = []
      for (const row of rows) results.push(await applyChunk([row], calledAt))
      return joinSkusToInvalidate(results)
    }
  }

  async function writeChunk(rows: readonly T[], calledAt: string, isSkipped: boolean): Promise<SkusToInvalidate> {
    const at = instant()
    const { watermark, baseline, began_at: feedBeganAt } = feed!
    const newest = findNewestTime(rows, now() + MAX_AHEAD_MS, watermark)
    // The last row of an id replaces the earlier ones.
    const latest = [...new Map(rows.map((row) => [source.idOf(row), row])).values()]
    const isComplete = baseline || isSkipped || !source.complete
    const completed = isComplete ? latest : await source.complete!(latest, context.requestScope())
    const skusToInvalidate = await transactInBackground(db, tenant, async (transaction) => {
      const stored = await lockFeed(transaction, key)
      if (stored?.watermark !== watermark || stored.baseline !== baseline) throw new FeedMovedError()
      if (newest !== null) await setFeedWatermark(transaction, key, newest, at)
      if (isSkipped) return noSkusToInvalidate
      return source.apply(transaction, completed, { context, calledAt, at, isBaseline: baseline, feedBeganAt })
    })
    if (newest !== null) feed = { ...feed!, watermark: newest, reached_at: at }
    return skusToInvalidate
  }

  return { name: source.name, system: source.system, callsSystem: true, run }
}

/** Returns the part of the catalog that a source keeps current. */
const toCatalogPart = (name: ChangeSource<ChangeTimestamp>['name']) =>
  name === 'orders' || name === 'invoices' ? null : name

/** PostgreSQL's class 22 is text that it cannot encode. Other errors of a store, and those of a system, do not come from the row. */
function isRowError(error: unknown): boolean {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  if (
    error instanceof FeedMovedError ||
    error instanceof UpstreamError ||
    errcode !== undefined ||
    isStoreUnavailable(error)
  )
    return false
  return typeof code !== 'string' || code.startsWith('22')
}

/** Returns the newest change time after the watermark and not beyond the horizon, or `null`. */
function findNewestTime(rows: readonly ChangeTimestamp[], horizon: number, watermark: string | null): string | null {
  let newest = watermark === null ? Number.NEGATIVE_INFINITY : Date.parse(watermark)
  const before = newest
  for (const time of rows.map(parseChangeTime)) if (time > newest && time <= horizon) newest = time
  return newest > before ? new Date(newest).toISOString() : null
}
