import { readLocalTimeField } from './local-time-field.ts'

const MINUTE_MS = 60_000
const DEFAULT_MINUTES = 10
const MAX_MINUTES = 1_440

/** "Around 14:05": a local time, and how many minutes before and after it count. */
export interface TimeWindow {
  /** As in the field: `2026-11-21T14:05`; empty: none. */
  at: string
  minutes: number
  /** Milliseconds since the epoch; `null` without a time. */
  during: { from: number; to: number } | null
}

/** Reads `at` and `within` of a query. Invalid values count as none. */
export function readTimeWindow(query: URLSearchParams, timeZone: string): TimeWindow {
  const { atMs, text } = readLocalTimeField(query, 'at', timeZone)
  const given = Number(query.get('within') || DEFAULT_MINUTES)
  const minutes = Number.isInteger(given) && given >= 1 ? Math.min(given, MAX_MINUTES) : DEFAULT_MINUTES
  const marginMs = minutes * MINUTE_MS
  return {
    at: text,
    minutes,
    during: atMs === null ? null : { from: atMs - marginMs, to: atMs + marginMs },
  }
}
