import { insertBreakerChanges } from '../../storage/diagnostics/breaker-changes.ts'
import type { Database } from '../../storage/database.ts'
import { inChunks } from '../../storage/chunk-rows.ts'
import { addToIncidents } from '../../storage/diagnostics/incident-updates.ts'
import { endIncidents, isOver, noteWell, openIncidents } from '../../storage/diagnostics/open-incidents.ts'
import { addToKeyDays, type KeyDay } from '../../storage/diagnostics/daily-key-usage.ts'
import { insertRecords } from '../../storage/diagnostics/request-records.ts'
import { addToTimeline, type TimelineRow } from '../../storage/diagnostics/timeline-rows.ts'
import type { CircuitBook } from './circuit-change-buffer.ts'
import type { IncidentBook } from './incident-buffer.ts'
import { columnsOf } from '../counts/latency-histogram.ts'
import type { DayTally, Pending, StepTally } from './rollup-buffer.ts'
import type { RecordBook } from './record-buffer.ts'

/** Writes rows a few at a time. What could not be written is given back, and the error thrown. */
async function inParts<T>(rows: readonly T[], write: (some: T[]) => Promise<void>, giveBack: (rest: T[]) => void) {
  let written = 0
  try {
    for (const some of inChunks(rows)) {
      await write(some)
      written += some.length
    }
  } catch (error) {
    giveBack(rows.slice(written))
    throw error
  }
}

export async function writeIncidents(db: Database, book: IncidentBook, now: () => number): Promise<void> {
  const news = book.take()
  try {
    await addToIncidents(db, news)
  } catch (error) {
    book.giveBack(news)
    throw error
  }
  const open = await openIncidents(db)
  for (const incident of open) {
    if (incident.well_at !== null && incident.well_at > incident.last_at) continue
    const wellAt = book.wellSince(incident)
    if (wellAt === null) continue
    incident.well_at = new Date(wellAt).toISOString()
    await noteWell(db, incident.incident_id, incident.well_at)
  }
  const at = now()
  if (open.some((incident) => isOver(incident, at))) await endIncidents(db, at)
}

export const writeRecords = (db: Database, book: RecordBook) =>
  inParts(book.take(), (some) => insertRecords(db, some), book.giveBack)

export const writeChanges = (db: Database, book: CircuitBook) =>
  inParts(book.take(), (some) => insertBreakerChanges(db, some), book.giveBack)

export const writeSteps = (db: Database, pending: Pending) =>
  inParts(pending.takeSteps(), (some) => addToTimeline(db, some.map(timelineRow)), pending.giveBack)

export const writeDays = (db: Database, pending: Pending) =>
  inParts(pending.takeDays(), (some) => addToKeyDays(db, some.map(dayRow)), pending.giveBack)

const timelineRow = ({ tenant, mode, system, section, step, at, ...tally }: StepTally): TimelineRow => ({
  ...{ tenant_id: tenant, mode, system, section, step, at: new Date(at).toISOString() },
  ...{ total: tally.total, degraded: tally.degraded, stale: tally.stale, ...columnsOf(tally.latency) },
})

const dayRow = ({ keyId, day, requests, refused, limited, lastCode, lastAt }: DayTally): KeyDay => ({
  ...{ key_id: keyId, day, requests, refused, limited, last_refusal_code: lastCode },
  last_refused_at: lastAt === null ? null : new Date(lastAt).toISOString(),
})
