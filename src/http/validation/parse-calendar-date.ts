import { parseDigits } from './parse-digits.ts'
/** Parses `YYYY-MM-DD` at the start of the text. Returns its midnight in seconds since 1970-01-01, or why it is not a date. */
export function parseCalendarDate(text: string): number | string {
  if (Buffer.byteLength(text) < 10) return 'input is too short'
  const year = parseDigits(text, 0, 4)
  if (year < 0) return 'invalid character in year'
  if (text[4] !== '-') return NO_DASH
  const month = parseDigits(text, 5, 2)
  if (month < 0) return 'invalid character in month'
  if (text[7] !== '-') return NO_DASH
  const day = parseDigits(text, 8, 2)
  if (day < 0) return 'invalid character in day'
  if (month < 1 || month > 12) return 'month value is outside expected range of 1-12'
  const midnight = new Date(0).setUTCFullYear(year, month - 1, day)
  const exists = day > 0 && new Date(midnight).getUTCDate() === day
  return exists ? midnight / 1000 : 'day value is outside expected range'
}

const NO_DASH = 'invalid date separator, expected `-`'
