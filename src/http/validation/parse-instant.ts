import { parseCalendarDate } from './parse-calendar-date.ts'
import { EXTRA_CHARACTERS_MESSAGE, parseTimeOfDay } from './parse-time-of-day.ts'
import { parseUnixTime } from './parse-unix-time.ts'
import type { ParsedInstant } from './parsed-instant.ts'

const MAX_INT64 = 2n ** 63n - 1n

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
