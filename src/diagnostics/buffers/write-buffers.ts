import { chunkRows } from '../../storage/chunk-rows.ts'
import type { Database } from '../../storage/database.ts'
import { insertBreakerChanges } from '../../storage/diagnostics/breaker-changes.ts'
import { addDailyKeyUsage, type DailyKeyUsage } from '../../storage/diagnostics/daily-key-usage.ts'
import { applyIncidentUpdates } from '../../storage/diagnostics/incident-updates.ts'
import {
  endQuietIncidents,
  isIncidentOver,
  listOpenIncidents,
  recordSectionHealthy,
} from '../../storage/diagnostics/open-incidents.ts'
import { insertRequestRecords } from '../../storage/diagnostics/request-records.ts'
import { addTimelineCounts, type TimelineRow } from '../../storage/diagnostics/timeline-rows.ts'
import { toLatencyColumns } from '../counts/latency-histogram.ts'
import type { CircuitChangeBuffer } from './circuit-change-buffer.ts'
import type { IncidentBuffer } from './incident-buffer.ts'
import type { RecordBuffer } from './record-buffer.ts'
import type { KeyDayRollup, RollupBuffer, TimelineRollup } from './rollup-buffer.ts'

/** Writes rows a few at a time. What could not be written is given back, and the error thrown. */
async function inParts<T>(rows: readonly T[], write: (some: T[]) => Promise<void>, giveBack: (rest: T[]) => void) {
  let written = 0
  try {
    for (const some of chunkRows(rows)) {
      await write(some)
      written += some.length
    }
  } catch (error) {
    giveBack(rows.slice(written))
    throw error
  }
}

export async function writeIncidents(db: Database, book: IncidentBuffer, now: () => number): Promise<void> {
  const news = book.take()
  try {
    await applyIncidentUpdates(db, news)
  } catch (error) {
    book.restore(news)
    throw error
  }
  const open = await listOpenIncidents(db)
  for (const incident of open) {
    if (incident.well_at !== null && incident.well_at > incident.last_at) continue
    const wellAt = book.healthySince(incident)
    if (wellAt === null) continue
    incident.well_at = new Date(wellAt).toISOString()
    await recordSectionHealthy(db, incident.incident_id, incident.well_at)
  }
  const at = now()
  if (open.some((incident) => isIncidentOver(incident, at))) await endQuietIncidents(db, at)
}

export const writeRequestRecords = (db: Database, book: RecordBuffer) =>
  inParts(book.take(), (some) => insertRequestRecords(db, some), book.restore)

export const writeCircuitChanges = (db: Database, book: CircuitChangeBuffer) =>
  inParts(book.take(), (some) => insertBreakerChanges(db, some), book.restore)

export const writeTimelineRollups = (db: Database, pending: RollupBuffer) =>
  inParts(pending.takeSteps(), (some) => addTimelineCounts(db, some.map(timelineRow)), pending.restore)

export const writeKeyDayRollups = (db: Database, pending: RollupBuffer) =>
  inParts(pending.takeDays(), (some) => addDailyKeyUsage(db, some.map(dayRow)), pending.restore)

const timelineRow = ({ tenant, mode, system, section, step, at, ...tally }: TimelineRollup): TimelineRow => ({
  ...{ tenant_id: tenant, mode, system, section, step, at: new Date(at).toISOString() },
  ...{ total: tally.total, degraded: tally.degraded, stale: tally.stale, ...toLatencyColumns(tally.latency) },
})

const dayRow = ({ keyId, day, requests, refused, limited, lastCode, lastAt }: KeyDayRollup): DailyKeyUsage => ({
  ...{ key_id: keyId, day, requests, refused, limited, last_refusal_code: lastCode },
  last_refused_at: lastAt === null ? null : new Date(lastAt).toISOString(),
})
