import { parseCalendarDate } from './parse-calendar-date.ts'
import { EXTRA_CHARACTERS_MESSAGE, parseTimeOfDay } from './parse-time-of-day.ts'

/** A parsed date-time: seconds since 1970 in its own zone, before the zone's offset is subtracted. */
export interface ParsedInstant {
  seconds: number
  micros: number
  offset: number
}

/** A larger unix time is in milliseconds. */
const MAX_UNIX_SECONDS = 2e10
const MAX_UNIX_MILLIS = 1e15
const FIRST_SECOND = -62_167_219_200
const LAST_SECOND = 253_402_300_799
const MAX_INT64 = 2n ** 63n - 1n
const TOO_EARLY = 'dates before 0000 are not supported as unix timestamps'
const TOO_LATE = 'dates after 9999 are not supported as unix timestamps'

/** Parses RFC 3339 as pydantic (with the Rust crate speedate) does, or a unix time. Returns a string that says why it is neither. */
export function parseInstant(text: string): ParsedInstant | string {
  const instant = parseDateTime(text)
  if (typeof instant !== 'string') return instant
  const unix = parseUnixText(text)
  return unix === undefined ? instant : parseUnixTime(unix)
}

/** Parses `YYYY-MM-DD` as its midnight. Returns a string that says why it is no date, which pydantic reports when every format fails. */
export function parseMidnight(text: string): ParsedInstant | string {
  const day = parseCalendarDate(text)
  if (typeof day === 'number')
    return text.length > 10 ? EXTRA_CHARACTERS_MESSAGE : { seconds: day, micros: 0, offset: 0 }
  const unix = text.includes('.') ? undefined : parseUnixText(text)
  return unix === undefined ? day : parseUnixTime(unix)
}

function parseDateTime(text: string): ParsedInstant | string {
  const day = parseCalendarDate(text)
  if (typeof day === 'string') return day
  if (!/^[Tt _]$/.test(text[10] ?? '')) return 'invalid datetime separator, expected `T`, `t`, `_` or space'
  const time = parseTimeOfDay(text, 11)
  return typeof time === 'string' ? time : { ...time, seconds: day + time.seconds }
}

function parseUnixText(text: string): number | undefined {
  if (/^[+-]?\d+$/.test(text)) {
    const digits = text.replace(/^[+-]/, '')
    return digits.length > 18 && BigInt(digits) > MAX_INT64 ? undefined : Number(text)
  }
  return /^[+-]?(?:\d+\.\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined
}

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
