import { setImmediate as breath } from 'node:timers/promises'
import type { ChangeTimestamp } from '../ports/change-feed.ts'
import {
  endFeedBaseline,
  type FeedKey,
  type FeedRow,
  findOrCreateFeed,
  lockFeed,
  setFeedWatermark,
} from '../storage/changes/change-feeds.ts'
import { isStoreUnavailable, transact } from '../storage/transact.ts'
import { parseChangeTime, readChangePages } from './change-pager.ts'
import {
  type ChangeSource,
  type FeedContext,
  type FeedJob,
  invalidateStaleSkus,
  noStaleSkus,
  type StaleSkus,
} from './change-source.ts'

const PAGE_ROWS = 200
/** In one transaction: others wait for it. */
const CHUNK_ROWS = 50
/** A change that far in the future is taken, and not believed. */
const AHEAD_MS = 86_400_000
/** How often, while the watermark is ahead of our clock, rows are looked for that were written by the right time. */
const LOOK_BACK_MS = 600_000

/** Another process has moved this feed since it was read here. */
class Moved extends Error {}

/**
 * Follows one source: each run walks from the watermark to the newest change. Rows may become visible late, so a walk begins before
 * the watermark, until one that began long enough after the watermark was reached has found nothing newer; then strictly after it,
 * so that a bulk at the end of a quiet system is not read for ever. The system's clock is compared with ours only where it is ahead:
 * it may be set right, or a single row have a wrong time, and what comes then comes behind the watermark.
 */
export function createChangeConsumer<T extends ChangeTimestamp>(place: FeedContext, source: ChangeSource<T>): FeedJob {
  const { db, now, owner } = place
  const key: FeedKey = { ...owner, source: source.name }
  const overlapMs = place.backOffice.changes.overlapSeconds(source.system) * 1_000
  let feed: FeedRow | null = null
  /** The watermark behind which nothing can come any more. */
  let quiet: string | null = null
  /** The watermark as the walk before began: one that goes on for long may have passed rows before they became visible. */
  let begunAt: string | null = null
  /** By our clock; of the watermark's being ahead of it. */
  let lookedBackAt: number | null = null

  const instant = () => new Date(now()).toISOString()

  function startOf({ watermark, reached_at, baseline }: FeedRow): number {
    if (watermark === null) return 0
    const mark = Date.parse(watermark)
    if (baseline) return mark
    const start = quiet === watermark ? mark + 1 : Math.min(mark, Date.parse(begunAt ?? watermark)) - overlapMs
    const isAhead = mark > now()
    if (isAhead) lookedBackAt ??= Date.parse(reached_at)
    const isWaiting = lookedBackAt === null || (isAhead && now() - lookedBackAt < LOOK_BACK_MS)
    return Math.max(0, isWaiting ? start : Math.min(start, lookedBackAt! - overlapMs))
  }

  async function run(): Promise<void> {
    try {
      feed ??= await findOrCreateFeed(db, key, instant())
      await walkOnce()
    } catch (error) {
      feed = null
      if (!(error instanceof Moved)) throw error
    }
  }

  async function walkOnce(): Promise<void> {
    const startedAt = now()
    const { watermark, reached_at, baseline } = feed!
    const from = startOf(feed!)
    if (!baseline) begunAt = watermark
    let askedAt = instant()
    const pages = readChangePages<T>({
      ...{ from, limit: PAGE_ROWS, idOf: source.idOf },
      read(query) {
        askedAt = instant()
        return source.read(query, place.requestScope())
      },
    })
    for await (const rows of pages) {
      if (!place.holds()) return
      await takePage(rows, askedAt)
      if (!place.holds()) return
    }
    if (lookedBackAt !== null && from < lookedBackAt)
      lookedBackAt = Date.parse(watermark!) > startedAt ? startedAt : null
    if (baseline) {
      await endFeedBaseline(db, key)
      feed = null
    } else if (feed!.watermark === watermark && startedAt >= Date.parse(reached_at) + overlapMs) quiet = watermark
  }

  async function takePage(rows: readonly T[], askedAt: string): Promise<void> {
    for (let from = 0; from < rows.length; from += CHUNK_ROWS) {
      invalidateStaleSkus(place, await takeChunk(rows.slice(from, from + CHUNK_ROWS), askedAt))
      // The store's own calls may come back without ever letting others in.
      await breath()
    }
  }

  /** One row that cannot be taken must not stop all others for ever. */
  async function takeChunk(rows: readonly T[], askedAt: string, hopeless = false): Promise<StaleSkus> {
    try {
      return await write(rows, askedAt, hopeless)
    } catch (error) {
      if (!isRowsFault(error) || hopeless) throw error
      if (rows.length === 1) {
        place.onError(error)
        return takeChunk(rows, askedAt, true)
      }
      const all: StaleSkus[] = []
      for (const row of rows) all.push(await takeChunk([row], askedAt))
      return { details: all.flatMap(({ details }) => details), others: all.flatMap(({ others }) => others) }
    }
  }

  async function write(rows: readonly T[], askedAt: string, onlyPassing: boolean): Promise<StaleSkus> {
    const at = instant()
    const { watermark, baseline, began_at: beganAt } = feed!
    const newest = newestOf(rows, now() + AHEAD_MS, watermark)
    const taken = await transact(db, async (transaction) => {
      const held = await lockFeed(transaction, key)
      if (held?.watermark !== watermark || held.baseline !== baseline) throw new Moved()
      if (newest !== null) await setFeedWatermark(transaction, key, newest, at)
      if (onlyPassing) return noStaleSkus
      // Later rows of one id stand for all of them.
      const single = [...new Map(rows.map((row) => [source.idOf(row), row])).values()]
      return source.take(transaction, single, { place, askedAt, at, baseline, beganAt })
    })
    if (newest !== null) feed = { ...feed!, watermark: newest, reached_at: at }
    return taken
  }

  return { name: source.name, system: source.system, run }
}

/** PostgreSQL's class 22 is text that it cannot hold; what else a store says is not the row's doing. */
function isRowsFault(error: unknown): boolean {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  if (error instanceof Moved || errcode !== undefined || isStoreUnavailable(error)) return false
  return typeof code !== 'string' || code.startsWith('22')
}

/** The newest change time among rows that is newer than the watermark, and not beyond belief; `null`: none is. */
function newestOf(rows: readonly ChangeTimestamp[], horizon: number, watermark: string | null): string | null {
  let newest = watermark === null ? Number.NEGATIVE_INFINITY : Date.parse(watermark)
  const before = newest
  for (const time of rows.map(parseChangeTime)) if (time > newest && time <= horizon) newest = time
  return newest > before ? new Date(newest).toISOString() : null
}
