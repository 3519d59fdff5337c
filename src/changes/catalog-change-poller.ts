import { type CatalogEvent, listCatalogEventsAfter } from '../storage/changes/catalog-events.ts'
import type { Database } from '../storage/database.ts'
import type { CatalogChangeListener } from './change-source.ts'

export interface CatalogChangePollerParts {
  db: Database
  now: () => number
  onChanged: CatalogChangeListener
  onError(error: unknown): void
  /** `null`: it looks by hand alone. */
  intervalMs?: number | null
}

/** Hears of changes of the catalog that other processes found. What this process found is heard of too, which does no harm. */
export interface CatalogChangePoller extends AsyncDisposable {
  look(): Promise<void>
}

const INTERVAL_MS = 500
/** Events may become visible later than others that are younger, and clocks of machines differ. */
const OVERLAP_MS = 5_000
const PAGE = 500

export function createCatalogChangePoller({
  db,
  now,
  onChanged,
  onError,
  intervalMs = INTERVAL_MS,
}: CatalogChangePollerParts): CatalogChangePoller {
  /** Ids of those that may come again, with their times. */
  const seen = new Map<string, number>()
  let lookedAt = now()
  let looking: Promise<void> | undefined
  let stopped = false
  const timer = intervalMs === null ? undefined : setInterval(() => void look().catch(report), intervalMs)
  const report = (error: unknown) => {
    if (!stopped) onError(error)
  }

  function look(): Promise<void> {
    looking ??= lookOnce().finally(() => {
      looking = undefined
    })
    return looking
  }

  async function lookOnce(): Promise<void> {
    const [at, from] = [now(), lookedAt - OVERLAP_MS]
    for (const [id, time] of seen) if (time < from) seen.delete(id)
    let after = { created_at: new Date(from).toISOString(), event_id: '' }
    for (;;) {
      const events = await listCatalogEventsAfter(db, after, PAGE)
      tell(events.filter(({ event_id }) => !seen.has(event_id)))
      for (const { event_id, created_at } of events) seen.set(event_id, Date.parse(created_at))
      if (stopped || events.length < PAGE) break
      after = events.at(-1)!
    }
    lookedAt = at
  }

  function tell(events: readonly CatalogEvent[]): void {
    const groups = Map.groupBy(events, (event) => `${event.tenant_id}/${event.mode}\n${isOfDetails(event)}`)
    for (const [group, some] of groups) {
      const [owner, details] = group.split('\n') as [string, string]
      onChanged(owner, [...new Set(some.map(({ resource_id }) => resource_id))], { details: details === 'true' })
    }
  }

  return {
    look,
    async [Symbol.asyncDispose]() {
      stopped = true
      clearInterval(timer)
      await Promise.allSettled([looking])
    },
  }
}

function isOfDetails({ type, data }: CatalogEvent): boolean {
  if (type !== 'product.updated') return type === 'product.deactivated'
  return (JSON.parse(data) as { changed: string[] }).changed.includes('details')
}
