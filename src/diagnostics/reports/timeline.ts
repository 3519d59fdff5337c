import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from '../../storage/database.ts'
import { listTimelineRows, type TimelineRow } from '../../storage/diagnostics/timeline-counts.ts'
import type { Tenant } from '../../tenant.ts'
import { fromLatencyColumns, isLongest, percentile } from '../counts/latency-histogram.ts'
import { type TimelineStep, timelineStepMs } from '../counts/timeline-steps.ts'
import { getOrCreate } from '../get-or-create.ts'
import { type CircuitPeriod, listCircuitPeriods } from './circuit-periods.ts'
import { listServerStarts, type ServerStart } from './server-starts.ts'

export interface TimelineQuery extends Tenant {
  /** Milliseconds since the epoch; the step in which `fromMs` lies is the first. */
  fromMs: number
  toMs: number
  /** Minutes are stored for two days, hours for thirty. */
  step: TimelineStep
  now: number
}

export interface Timeline {
  stepMs: number
  /** Start of each step, in milliseconds since the epoch; every series has a value for each. */
  times: number[]
  /** All responses first, then each system's calls and sections. */
  series: TimelineSeries[]
  circuitPeriods: CircuitPeriod[]
  starts: ServerStart[]
}

/** `answers`: all responses of the tenant; `calls`: calls to a system; `section`: responses with that section. */
export interface TimelineSeries {
  kind: 'answers' | 'calls' | 'section'
  system: string
  section: string
  totals: number[]
  degraded: number[]
  stale: number[]
  /** 0..1; `null` for a step without requests. */
  degradedShare: (number | null)[]
  p50Ms: (number | null)[]
  p99Ms: (number | null)[]
  /** The longest time; `null` for a step without one, or of which it is not known. */
  longestMs: (number | null)[]
}

/** Two days of minutes. A longer period needs larger steps. */
const MAX_STEPS = 2_880
const STEPS_PER_CHUNK = 60

/** Builds the timeline of a period; the part that is more than `MAX_STEPS` before its end is left out. */
export async function buildTimeline(db: Database, query: TimelineQuery): Promise<Timeline> {
  const { merchant, mode, step, toMs } = query
  const stepMs = timelineStepMs[step]
  const firstMs = Math.max(query.fromMs - (query.fromMs % stepMs), toMs - (toMs % stepMs) - (MAX_STEPS - 1) * stepMs)
  const times: number[] = []
  for (let at = firstMs; at < toMs; at += stepMs) times.push(at)
  const seriesByKey = new Map<string, TimelineSeries>()
  for (let at = firstMs; at < toMs; at += STEPS_PER_CHUNK * stepMs) {
    const [from, to] = [iso(at), iso(Math.min(toMs, at + STEPS_PER_CHUNK * stepMs))]
    for (const row of await listTimelineRows(db, { merchant, mode, step, from, to })) {
      const { system, section } = row
      const series = getOrCreate(seriesByKey, `${system}\n${section}`, () =>
        createSeries(system, section, times.length),
      )
      fillStep(series, (Date.parse(row.at) - firstMs) / stepMs, row)
    }
    // Requests are served between two chunks.
    await nextTurn()
  }
  const period = { merchant, mode, fromMs: firstMs, toMs: Math.min(toMs, query.now) }
  const series = [...seriesByKey].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, timelineSeries]) => timelineSeries)
  const circuitPeriods = await listCircuitPeriods(db, period)
  return { stepMs, times, series, circuitPeriods, starts: await listServerStarts(db, period) }
}

const iso = (ms: number) => new Date(ms).toISOString()

function createSeries(system: string, section: string, steps: number): TimelineSeries {
  const zeros = () => new Array<number>(steps).fill(0)
  const unknown = () => new Array<number | null>(steps).fill(null)
  return {
    kind: section !== '' ? 'section' : system === '' ? 'answers' : 'calls',
    system,
    section,
    totals: zeros(),
    degraded: zeros(),
    stale: zeros(),
    degradedShare: unknown(),
    p50Ms: unknown(),
    p99Ms: unknown(),
    longestMs: unknown(),
  }
}

function fillStep(series: TimelineSeries, index: number, row: TimelineRow): void {
  const latency = fromLatencyColumns(row)
  series.totals[index] = row.total
  series.degraded[index] = row.degraded
  series.stale[index] = row.stale
  series.degradedShare[index] = row.total === 0 ? null : row.degraded / row.total
  const longestMs = row.longest_ms !== null && isLongest(row.longest_ms, latency) ? row.longest_ms : null
  series.p50Ms[index] = percentile(latency, 0.5, longestMs)
  series.p99Ms[index] = percentile(latency, 0.99, longestMs)
  series.longestMs[index] = longestMs
}
