import { parseTimeZone } from '../operator-time-zone.ts'
import { parseTypedTime } from '../parse-typed-time.ts'
import { formatLocalTime } from '../text/format-times.ts'

const MINUTE_MS = 60_000
const DEFAULT_MINUTES = 10
/** The minutes around a time with seconds: whoever knows the second needs fewer. */
const DEFAULT_MINUTES_WITH_SECONDS = 1
const MAX_MINUTES = 1_440
const MAX_LENGTH = 60

/** "Around 14:05": a local time, and how many minutes before and after it count. */
export interface TimeWindow {
  /** `2026-11-21T14:05`, with seconds if it was typed with seconds; empty: none. */
  at: string
  /** Something was typed that is no time. */
  isUnreadable: boolean
  minutes: number
  /** The number of minutes was chosen, and is not the usual one for such a time. */
  hasMinutes: boolean
  /** Milliseconds since the epoch; `null` without a time. */
  during: { from: number; to: number } | null
}

/** Reads `at` and `within` of a query. Invalid values count as none. The query names its time zone in `zone`: a link may come from another one. */
export function readTimeWindow(query: URLSearchParams, timeZone: string, now: number): TimeWindow {
  const text = (query.get('at') ?? '').slice(0, MAX_LENGTH)
  const typed = parseTypedTime(text, parseTimeZone(query.get('zone')) ?? timeZone, now)
  const given = Number(query.get('within') || Number.NaN)
  const hasMinutes = Number.isInteger(given) && given >= 1
  const usual = typed?.hasSeconds ? DEFAULT_MINUTES_WITH_SECONDS : DEFAULT_MINUTES
  const minutes = hasMinutes ? Math.min(given, MAX_MINUTES) : usual
  const marginMs = minutes * MINUTE_MS
  return {
    at: typed === null ? '' : formatLocalTime(typed.atMs, timeZone, typed.hasSeconds ? 'second' : 'minute'),
    isUnreadable: typed === null && text.trim() !== '',
    minutes,
    hasMinutes,
    during: typed === null ? null : { from: typed.atMs - marginMs, to: typed.atMs + marginMs },
  }
}
