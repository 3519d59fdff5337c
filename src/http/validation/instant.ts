import { parseCalendarDate } from './calendar-date.ts'
import { EXTRA_CHARACTERS_MESSAGE, parseTimeOfDay } from './time-of-day.ts'

/** A point on the clock that was sent: seconds since 1970 as written, before its zone's offset is taken away. */
export interface ParsedInstant {
  seconds: number
  micros: number
  offset: number
}

/** Beyond this a unix time is in milliseconds. */
const MOST_SECONDS = 2e10
const MOST_MILLIS = 1e15
const FIRST_SECOND = -62_167_219_200
const LAST_SECOND = 253_402_300_799
const LARGEST = 2n ** 63n - 1n
const TOO_EARLY = 'dates before 0000 are not supported as unix timestamps'
const TOO_LATE = 'dates after 9999 are not supported as unix timestamps'

/** RFC 3339 as the Rust crate speedate, and so pydantic, reads it, or a unix time; a string says why it is neither. */
export function parseInstant(text: string): ParsedInstant | string {
  const written = readWritten(text)
  if (typeof written !== 'string') return written
  const unix = unixTime(text)
  return unix === undefined ? written : parseUnixTime(unix)
}

/** The midnight of a bare `YYYY-MM-DD`, or why it is none: what pydantic reports when nothing else could be read. */
export function parseMidnight(text: string): ParsedInstant | string {
  const day = parseCalendarDate(text)
  if (typeof day === 'number')
    return text.length > 10 ? EXTRA_CHARACTERS_MESSAGE : { seconds: day, micros: 0, offset: 0 }
  const unix = text.includes('.') ? undefined : unixTime(text)
  return unix === undefined ? day : parseUnixTime(unix)
}

function readWritten(text: string): ParsedInstant | string {
  const day = parseCalendarDate(text)
  if (typeof day === 'string') return day
  if (!/^[Tt _]$/.test(text[10] ?? '')) return 'invalid datetime separator, expected `T`, `t`, `_` or space'
  const time = parseTimeOfDay(text, 11)
  return typeof time === 'string' ? time : { ...time, seconds: day + time.seconds }
}

function unixTime(text: string): number | undefined {
  if (/^[+-]?\d+$/.test(text)) {
    const digits = text.replace(/^[+-]/, '')
    return digits.length > 18 && BigInt(digits) > LARGEST ? undefined : Number(text)
  }
  return /^[+-]?(?:\d+\.\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined
}

/** A unix time in seconds, or in milliseconds when it is beyond ±2·10¹⁰. */
export function parseUnixTime(unix: number): ParsedInstant | string {
  if (Number.isNaN(unix)) return 'NaN values not permitted'
  if (Math.abs(unix) > MOST_MILLIS) return unix < 0 ? TOO_EARLY : TOO_LATE
  const inMillis = Math.abs(unix) > MOST_SECONDS
  const whole = Math.floor(inMillis ? unix / 1000 : unix)
  const micros = Number.isInteger(unix)
    ? (inMillis ? unix - whole * 1000 : 0) * 1000
    : Math.round(((inMillis ? unix / 1000 : unix) - whole) * 1e6)
  const seconds = whole + Math.floor(micros / 1e6)
  if (seconds < FIRST_SECOND) return TOO_EARLY
  return seconds > LAST_SECOND ? TOO_LATE : { seconds, micros: micros % 1e6, offset: 0 }
}
