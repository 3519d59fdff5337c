import { formatNumber } from './format-numbers.ts'

const SECOND_MS = 1_000
const units = [
  { ms: 86_400_000, name: 'd' },
  { ms: 3_600_000, name: 'h' },
  { ms: 60_000, name: 'min' },
  { ms: SECOND_MS, name: 's' },
] as const

/** Formats a duration with its two largest units: `1 min 5 s`; `420 ms` below a second. */
export function formatDuration(durationMs: number): string {
  const index = units.findIndex(({ ms }) => durationMs >= ms)
  const unit = units[index]
  if (!unit) return `${Math.max(0, Math.round(durationMs))} ms`
  const smallerUnit = units[index + 1]
  const rest = smallerUnit ? Math.floor((durationMs % unit.ms) / smallerUnit.ms) : 0
  return `${Math.floor(durationMs / unit.ms)} ${unit.name}${smallerUnit && rest > 0 ? ` ${rest} ${smallerUnit.name}` : ''}`
}

/** Formats the time between two instants as a reader counts it from their clock times, which have no fractions of seconds. */
export function formatDurationBetween(fromMs: number, toMs: number): string {
  const seconds = Math.floor(toMs / SECOND_MS) - Math.floor(fromMs / SECOND_MS)
  return seconds < 1 ? 'under 1 s' : formatDuration(seconds * SECOND_MS)
}

/** Formats a past time with its largest unit: `3 min ago`. */
export function formatTimeAgo(iso: string, nowMs: number): string {
  const ageMs = nowMs - Date.parse(iso)
  if (ageMs < SECOND_MS) return 'just now'
  const { ms, name } = units.find((unit) => ageMs >= unit.ms)!
  return `${Math.floor(ageMs / ms)} ${name} ago`
}

const MAX_EXACT_MS = 10_000

/** Formats a latency so that it compares with a limit: `1,500 ms`; `12 s` from ten seconds on. */
export const formatElapsedMs = (ms: number): string =>
  ms < MAX_EXACT_MS ? `${formatNumber(Math.round(ms))} ms` : formatDuration(ms)
