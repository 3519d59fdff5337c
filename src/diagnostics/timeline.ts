import { setImmediate as breath } from 'node:timers/promises'
import type { Mode } from '../config/config.ts'
import type { Database } from '../storage/database.ts'
import { listTimelineRows, type TimelineRow } from '../storage/diagnostics/timeline-rows.ts'
import { timelineStepMs } from './buffers/rollup-buffer.ts'
import { listCircuitPeriods } from './circuit-periods.ts'
import { fromLatencyColumns, percentile } from './counts/latency-histogram.ts'
import { getOrCreate } from './counts/tally.ts'

export interface TimelineQuery {
  tenant: string
  mode: Mode
  /** Milliseconds since the epoch; the step in which `fromMs` lies is the first. */
  fromMs: number
  toMs: number
  /** Minutes are kept for two days, hours for thirty. */
  step: 'minute' | 'hour'
  now: number
}

export interface Timeline {
  stepMs: number
  /** Where each step begins, in milliseconds since the epoch; every series has a value for each. */
  times: number[]
  /** All answers first, then each system's calls and sections. */
  series: TimelineSeries[]
  /** When circuits were open, or held. */
  circuitPeriods: CircuitPeriod[]
}

/** `answers`: all of the merchant's; `calls`: to a system; `section`: answers with that section. */
export interface TimelineSeries {
  kind: 'answers' | 'calls' | 'section'
  system: string
  section: string
  totals: number[]
  degraded: number[]
  stale: number[]
  /** 0..1; `null`: nobody asked in that step. */
  degradedShare: (number | null)[]
  p50Ms: (number | null)[]
  p99Ms: (number | null)[]
}

export interface CircuitPeriod {
  system: string
  process: string
  state: 'open' | 'held_open' | 'held_closed'
  fromMs: number
  toMs: number
}

/** A page that asks for more is asked to take larger steps: two days of minutes. */
const MOST_STEPS = 2_880
/** So many steps are read at a time: nobody's request waits for all that a page shows. */
const A_STRETCH = 60

/** Of what lies further back than `MOST_STEPS` before its end, nothing is given. */
export async function buildTimeline(db: Database, query: TimelineQuery): Promise<Timeline> {
  const { tenant, mode, step, toMs } = query
  const size = timelineStepMs[step]
  const first = Math.max(query.fromMs - (query.fromMs % size), toMs - (toMs % size) - (MOST_STEPS - 1) * size)
  const times: number[] = []
  for (let at = first; at < toMs; at += size) times.push(at)
  const all = new Map<string, TimelineSeries>()
  for (let at = first; at < toMs; at += A_STRETCH * size) {
    const [from, to] = [at, Math.min(toMs, at + A_STRETCH * size)].map((ms) => new Date(ms).toISOString()) as Pair
    for (const row of await listTimelineRows(db, { tenant, mode, step, from, to })) {
      const { system, section } = row
      const series = getOrCreate(all, `${system}\n${section}`, () => emptySeries(system, section, times.length))
      put(series, (Date.parse(row.at) - first) / size, row)
    }
    await breath()
  }
  const bands = await listCircuitPeriods(db, { tenant, mode, fromMs: first, toMs: Math.min(toMs, query.now) })
  const series = [...all].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
  return { stepMs: size, times, series, circuitPeriods: bands }
}

type Pair = [string, string]

function emptySeries(system: string, section: string, steps: number): TimelineSeries {
  const zeros = () => new Array<number>(steps).fill(0)
  const unknown = () => new Array<number | null>(steps).fill(null)
  return {
    ...{ kind: section !== '' ? 'section' : system === '' ? 'answers' : 'calls', system, section },
    ...{ totals: zeros(), degraded: zeros(), stale: zeros() },
    ...{ degradedShare: unknown(), p50Ms: unknown(), p99Ms: unknown() },
  }
}

function put(series: TimelineSeries, at: number, row: TimelineRow): void {
  const latencies = fromLatencyColumns(row)
  series.totals[at] = row.total
  series.degraded[at] = row.degraded
  series.stale[at] = row.stale
  series.degradedShare[at] = row.total === 0 ? null : row.degraded / row.total
  series.p50Ms[at] = percentile(latencies, 0.5)
  series.p99Ms[at] = percentile(latencies, 0.99)
}
