import type { ParsedInstant } from './parsed-instant.ts'

/** A larger unix time is in milliseconds. */
const MAX_UNIX_SECONDS = 2e10
const MAX_UNIX_MILLIS = 1e15
const FIRST_SECOND = -62_167_219_200
const LAST_SECOND = 253_402_300_799
const TOO_EARLY = 'dates before 0000 are not supported as unix timestamps'
const TOO_LATE = 'dates after 9999 are not supported as unix timestamps'

/** Converts a unix time in seconds, or in milliseconds when it is beyond ±2·10¹⁰. */
export function parseUnixTime(unix: number): ParsedInstant | string {
  if (Number.isNaN(unix)) return 'NaN values not permitted'
  if (Math.abs(unix) > MAX_UNIX_MILLIS) return unix < 0 ? TOO_EARLY : TOO_LATE
  const inMillis = Math.abs(unix) > MAX_UNIX_SECONDS
  const whole = Math.floor(inMillis ? unix / 1000 : unix)
  const micros = Number.isInteger(unix)
    ? (inMillis ? unix - whole * 1000 : 0) * 1000
    : Math.round(((inMillis ? unix / 1000 : unix) - whole) * 1e6)
  const seconds = whole + Math.floor(micros / 1e6)
  if (seconds < FIRST_SECOND) return TOO_EARLY
  return seconds > LAST_SECOND ? TOO_LATE : { seconds, micros: micros % 1e6, offset: 0 }
}
