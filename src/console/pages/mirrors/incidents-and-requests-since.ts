import { timelineStepMs } from '../../../diagnostics/counts/timeline-steps.ts'
import { STATUS_WAIT_MS } from '../../../diagnostics/status/last-good-status-reader.ts'
import { createSingleFlight } from '../../../lifecycle/single-flight.ts'
import { waitUpTo } from '../../../lifecycle/wait-up-to.ts'
import type { Database } from '../../../storage/database.ts'
import { countIncidentsSince } from '../../../storage/diagnostics/incident-queries.ts'
import { hasResponsesSince } from '../../../storage/diagnostics/timeline-counts.ts'
import type { StoreMonitor } from '../../../storage/store-monitor.ts'
import type { Tenant } from '../../../tenant.ts'

/** Sections of a system whose incidents are counted since an instant (milliseconds since the epoch). */
export interface CountedIncidents extends Tenant {
  /** Whose requests are counted, too. The incidents may be those of all merchants. */
  shop: Tenant
  system: string
  sections: readonly string[]
  since: number
}

/** What is known since then. */
export interface CountsSince {
  incidents: number
  /** The shop has sent requests, of whatever kind. */
  hasRequests: boolean
}

/** Returns what was counted; `null`: it is not known, because the store did not say it. */
export type IncidentCounts = (counted: CountedIncidents) => CountsSince | null

/** Counts incidents for a page that must not fail without the store. */
export interface IncidentCounter {
  /** Never throws, and waits for the store no longer than *Now* does. */
  count(systems: readonly CountedIncidents[]): Promise<IncidentCounts>
}

export interface IncidentCounterParts {
  db: Database
  store: Pick<StoreMonitor, 'outage'>
  waitMs?: number | undefined
}

const keyOf = ({ merchant, mode, shop, system, since }: CountedIncidents) =>
  [merchant, mode, shop.merchant, shop.mode, system, since].join(' ')

/** The minutes of two days ago are deleted. Their hours are kept; that in which it began has requests of before, too, and does not count. */
async function hasRequestsSince(db: Database, shop: Tenant, since: number): Promise<boolean> {
  const minute = new Date(Math.floor(since / MINUTE_MS) * MINUTE_MS).toISOString()
  const hour = new Date(Math.ceil(since / HOUR_MS) * HOUR_MS).toISOString()
  return (
    (await hasResponsesSince(db, { ...shop, step: 'minute' }, minute)) ||
    (await hasResponsesSince(db, { ...shop, step: 'hour' }, hour))
  )
}

const MINUTE_MS = timelineStepMs.minute
const HOUR_MS = timelineStepMs.hour

export function createIncidentAndRequestCounter({
  db,
  store,
  waitMs = STATUS_WAIT_MS,
}: IncidentCounterParts): IncidentCounter {
  /** One run for all open pages: while the store hangs, they start no more of them. */
  const flight = createSingleFlight(async (systems: readonly CountedIncidents[]) => {
    const counts = new Map<string, CountsSince>()
    // One after the other: checkouts need the connections more.
    for (const counted of systems) {
      const since = new Date(counted.since).toISOString()
      const query = { system: counted.system, sections: counted.sections, since }
      counts.set(keyOf(counted), {
        incidents: await countIncidentsSince(db, counted, query),
        hasRequests: await hasRequestsSince(db, counted.shop, counted.since),
      })
    }
    return counts
  })
  return {
    async count(systems) {
      if (systems.length === 0) return () => null
      // The page is needed most while the store fails, in whatever way.
      const run = flight.run(systems).catch(() => null)
      const counts = await waitUpTo(store.outage?.isUnreachable ? 0 : waitMs, run)
      return (counted) => counts?.get(keyOf(counted)) ?? null
    },
  }
}
