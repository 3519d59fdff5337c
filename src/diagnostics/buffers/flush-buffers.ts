import { chunkRows } from '../../storage/chunk-rows.ts'
import type { Database } from '../../storage/database.ts'
import { insertBreakerChanges } from '../../storage/diagnostics/breaker-changes.ts'
import { addDailyKeyUsage, type DailyKeyUsage } from '../../storage/diagnostics/daily-key-usage.ts'
import { insertRequestRecords } from '../../storage/diagnostics/request-records.ts'
import { addTimelineCounts, type TimelineRow } from '../../storage/diagnostics/timeline-counts.ts'
import { toLatencyColumns } from '../counts/latency-histogram.ts'
import type { CircuitChangeBuffer } from './circuit-change-buffer.ts'
import type { RequestRecordBuffer } from './request-record-buffer.ts'
import type { KeyDayRollup, RollupBuffer, TimelineRollup } from './rollup-buffer.ts'

/** Writes rows in chunks. On an error, restores the rows that were not written and throws. */
async function writeInChunks<T>(
  rows: readonly T[],
  write: (chunk: T[]) => Promise<void>,
  restore: (unwritten: T[]) => void,
): Promise<void> {
  let written = 0
  try {
    for (const chunk of chunkRows(rows)) {
      await write(chunk)
      written += chunk.length
    }
  } catch (error) {
    restore(rows.slice(written))
    throw error
  }
}

export const writeRequestRecords = (db: Database, buffer: RequestRecordBuffer) =>
  writeInChunks(buffer.take(), (chunk) => insertRequestRecords(db, chunk), buffer.restore)

export const writeCircuitChanges = (db: Database, buffer: CircuitChangeBuffer) =>
  writeInChunks(buffer.take(), (chunk) => insertBreakerChanges(db, chunk), buffer.restore)

export const writeTimelineRollups = (db: Database, buffer: RollupBuffer) =>
  writeInChunks(buffer.takeSteps(), (chunk) => addTimelineCounts(db, chunk.map(toTimelineRow)), buffer.restore)

export const writeKeyDayRollups = (db: Database, buffer: RollupBuffer) =>
  writeInChunks(buffer.takeDays(), (chunk) => addDailyKeyUsage(db, chunk.map(toDailyKeyUsage)), buffer.restore)

const toTimelineRow = ({ merchant, mode, system, section, step, at, ...tally }: TimelineRollup): TimelineRow => ({
  tenant_id: merchant,
  mode,
  system,
  section,
  step,
  at: new Date(at).toISOString(),
  total: tally.total,
  degraded: tally.degraded,
  stale: tally.stale,
  longest_ms: Math.round(tally.longestMs),
  ...toLatencyColumns(tally.latency),
})

const toDailyKeyUsage = ({
  keyId,
  day,
  requests,
  refused,
  limited,
  lastCode,
  lastAt,
}: KeyDayRollup): DailyKeyUsage => ({
  key_id: keyId,
  day,
  requests,
  refused,
  limited,
  last_refusal_code: lastCode,
  last_refused_at: lastAt === null ? null : new Date(lastAt).toISOString(),
})
