import { startPoller } from '../../lifecycle/poller.ts'
import { type CatalogEvent, listCatalogEventsAfter } from '../../storage/changes/list-catalog-events.ts'
import type { Database } from '../../storage/database.ts'
import { tenantOf } from '../../storage/tenant-columns.ts'
import { tenantKey } from '../../tenant.ts'
import type { CatalogChangeListener } from './catalog-change-listener.ts'

export interface OtherProcessChangePollerParts {
  db: Database
  now: () => number
  onChanged: CatalogChangeListener
  onError(error: unknown): void
  /** `null`: rounds run only when `poll` is called. */
  intervalMs?: number | null
  pageRows?: number
}

/** Reports catalog changes that other processes found. It also reports those of this process again, which is harmless. */
export interface OtherProcessChangePoller extends AsyncDisposable {
  poll(): Promise<void>
}

const INTERVAL_MS = 500
/** Events may become visible out of order, and the clocks of machines differ. */
const OVERLAP_MS = 5_000
const PAGE_ROWS = 500

export function createOtherProcessChangePoller({
  db,
  now,
  onChanged,
  onError,
  intervalMs = INTERVAL_MS,
  pageRows = PAGE_ROWS,
}: OtherProcessChangePollerParts): OtherProcessChangePoller {
  /** The ids and times of events that may be read again. */
  const seen = new Map<string, number>()
  let lastReadAt = now()
  const poller = startPoller({
    round: readNewEvents,
    intervalMs,
    onError: (error) => {
      if (!poller.isStopped) onError(error)
    },
  })

  async function readNewEvents(): Promise<void> {
    const [at, from] = [now(), lastReadAt - OVERLAP_MS]
    for (const [id, time] of seen) if (time < from) seen.delete(id)
    let after = { created_at: new Date(from).toISOString(), event_id: '' }
    for (;;) {
      const events = await listCatalogEventsAfter(db, after, pageRows)
      notify(events.filter(({ event_id }) => !seen.has(event_id)))
      for (const { event_id, created_at } of events) seen.set(event_id, Date.parse(created_at))
      if (poller.isStopped || events.length < pageRows) break
      after = events.at(-1)!
    }
    lastReadAt = at
  }

  function notify(events: readonly CatalogEvent[]): void {
    const groups = Map.groupBy(events, (event) => `${tenantKey(tenantOf(event))}\n${changesDetails(event)}`)
    for (const group of groups.values()) {
      const [first] = group
      onChanged(tenantOf(first!), [...new Set(group.map(({ resource_id }) => resource_id))], {
        details: changesDetails(first!),
      })
    }
  }

  return poller
}

function changesDetails({ type, data }: CatalogEvent): boolean {
  if (type !== 'product.updated') return type === 'product.deactivated'
  return (JSON.parse(data) as { changed: string[] }).changed.includes('details')
}
