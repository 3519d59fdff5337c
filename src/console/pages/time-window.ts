import { readTypedTimeField, type TypedTimeField } from './typed-time-field.ts'

const MINUTE_MS = 60_000
const DEFAULT_MINUTES = 10
/** The minutes around a time with seconds: whoever knows the second needs fewer. */
const DEFAULT_MINUTES_WITH_SECONDS = 1
const MAX_MINUTES = 1_440

/** "Around 14:05": a local time, and how many minutes before and after it count. */
export interface TimeWindow extends Pick<TypedTimeField, 'at' | 'dated' | 'isUnreadable'> {
  minutes: number
  /** The number of minutes was chosen, and is not the usual one for such a time. */
  hasMinutes: boolean
  /** Milliseconds since the epoch; `null` without a time. */
  during: { from: number; to: number } | null
}

/** Reads `at` and `within` of a query. Invalid values count as none. */
export function readTimeWindow(query: URLSearchParams, timeZone: string, now: number): TimeWindow {
  const { atMs, at, dated, hasSeconds, isUnreadable } = readTypedTimeField(query, timeZone, now)
  const given = Number(query.get('within') || Number.NaN)
  const hasMinutes = Number.isInteger(given) && given >= 1
  const usual = hasSeconds ? DEFAULT_MINUTES_WITH_SECONDS : DEFAULT_MINUTES
  const minutes = hasMinutes ? Math.min(given, MAX_MINUTES) : usual
  const marginMs = minutes * MINUTE_MS
  const during = atMs === null ? null : { from: atMs - marginMs, to: atMs + marginMs }
  return { at, dated, isUnreadable, minutes, hasMinutes, during }
}
