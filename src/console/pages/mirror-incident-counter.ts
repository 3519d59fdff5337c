import { STATUS_WAIT_MS } from '../../diagnostics/status/stored-status.ts'
import { createSingleFlight } from '../../lifecycle/single-flight.ts'
import { waitUpTo } from '../../lifecycle/wait-up-to.ts'
import type { Database } from '../../storage/database.ts'
import { countIncidentsSince } from '../../storage/diagnostics/incident-queries.ts'
import type { StoreMonitor } from '../../storage/store-monitor.ts'
import type { Tenant } from '../../tenant.ts'

/** Sections of a system whose incidents are counted since an instant (milliseconds since the epoch). */
export interface CountedIncidents extends Tenant {
  system: string
  sections: readonly string[]
  since: number
}

/** Returns the number of incidents; `null`: it is not known, because the store did not say it. */
export type IncidentCounts = (counted: CountedIncidents) => number | null

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

const keyOf = ({ merchant, mode, system, since }: CountedIncidents) => `${merchant} ${mode} ${system} ${since}`

export function createMirrorIncidentCounter({
  db,
  store,
  waitMs = STATUS_WAIT_MS,
}: IncidentCounterParts): IncidentCounter {
  /** One run for all open pages: while the store hangs, they start no more of them. */
  const flight = createSingleFlight(async (systems: readonly CountedIncidents[]) => {
    const counts = new Map<string, number>()
    // One after the other: checkouts need the connections more.
    for (const counted of systems) {
      const since = new Date(counted.since).toISOString()
      const query = { system: counted.system, sections: counted.sections, since }
      counts.set(keyOf(counted), await countIncidentsSince(db, counted, query))
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
