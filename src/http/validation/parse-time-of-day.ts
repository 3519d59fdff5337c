import { parseDigits } from './parse-digits.ts'

/** A parsed time: seconds since midnight in its own zone, microseconds, and the zone's offset in seconds east of UTC (0 without a zone). */
export interface TimeOfDay {
  seconds: number
  micros: number
  offset: number
}

/** Parses `HH:MM[:SS[.fraction]][zone]` from `from` to the end. Returns a string that says why it cannot. */
export function parseTimeOfDay(text: string, from: number): TimeOfDay | string {
  const minutes = parseMinutes(text, from)
  if (typeof minutes === 'string') return minutes
  if (text[from + 5] !== ':') return addZone(text, from + 5, minutes * 60, 0)
  const second = parseDigits(text, from + 6, 2)
  if (second < 0) return 'invalid character in second'
  if (second > 59) return 'second value is outside expected range of 0-59'
  const after = from + 8
  if (text[after] !== '.' && text[after] !== ',') return addZone(text, after, minutes * 60 + second, 0)
  const end = findEndOfDigits(text, after + 1)
  if (end === after + 1) return 'second fraction digits missing after `.`'
  const micros = Number(text.slice(after + 1, Math.min(end, after + 7)).padEnd(6, '0'))
  return addZone(text, end, minutes * 60 + second, micros)
}

function parseMinutes(text: string, from: number): number | string {
  if (text.length - from < 5) return 'input is too short'
  const hour = parseDigits(text, from, 2)
  if (hour < 0) return 'invalid character in hour'
  if (text[from + 2] !== ':') return 'invalid time separator, expected `:`'
  const minute = parseDigits(text, from + 3, 2)
  if (minute < 0) return 'invalid character in minute'
  if (hour > 23) return 'hour value is outside expected range of 0-23'
  if (minute > 59) return 'minute value is outside expected range of 0-59'
  return hour * 60 + minute
}

function findEndOfDigits(text: string, from: number): number {
  let at = from
  while (parseDigits(text, at, 1) >= 0) at += 1
  return at
}

/** A `+` becomes a space in a query string, so a space counts as `+`: the only difference from FastAPI. */
const SIGNS: Record<string, 1 | -1> = { '+': 1, ' ': 1, '-': -1, '\u2212': -1 }

function addZone(text: string, from: number, seconds: number, micros: number): TimeOfDay | string {
  const mark = text[from]
  if (mark === undefined) return { seconds, micros, offset: 0 }
  if (mark === 'Z' || mark === 'z') {
    return text.length > from + 1 ? EXTRA_CHARACTERS_MESSAGE : { seconds, micros, offset: 0 }
  }
  const sign = SIGNS[mark]
  if (sign === undefined) return 'invalid timezone sign'
  const offset = parseOffset(text, from + 1)
  return typeof offset === 'string' ? offset : { seconds, micros, offset: sign * offset }
}

function parseOffset(text: string, from: number): number | string {
  const hour = parseDigits(text, from, 2)
  if (hour < 0) return 'invalid timezone hour'
  const at = from + (text[from + 2] === ':' ? 3 : 2)
  const minute = parseDigits(text, at, 2)
  if (minute < 0) return 'invalid timezone minute'
  if (minute > 59) return 'timezone minute value is outside expected range of 0-59'
  if (hour > 23) return 'timezone offset must be less than 24 hours'
  return text.length > at + 2 ? EXTRA_CHARACTERS_MESSAGE : hour * 3600 + minute * 60
}

export const EXTRA_CHARACTERS_MESSAGE = 'unexpected extra characters at the end of the input'
