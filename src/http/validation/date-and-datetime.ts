import { EPOCH_PATTERN } from '../../contract/schema-parts.ts'
import type { ValidationItem } from '../../contract/validation-error.ts'
import { parseInstant, parseMidnight } from './parse-instant.ts'
import { parseUnixTime } from './parse-unix-time.ts'
import type { ParsedInstant } from './parsed-instant.ts'
import { addValidationError } from './validation-items.ts'
import type { Validator } from './validator.ts'

const FIRST = -62_135_596_800
const LAST = 253_402_300_799
const NOT_A_DATETIME = 'Input should be a valid datetime'
const NOT_A_DATE = 'Input should be a valid date'
const YEAR_ZERO = 'year 0 is out of range'

/**
 * Validates `format: "date-time"` as pydantic does. The result is RFC 3339 in UTC with `Z`, and a fraction of no, three or six
 * digits, whichever is exact. Input without a zone is UTC. Years stay within 0001..9999, whatever the zone.
 */
export const datetimeValidator: Validator = (input, items) => {
  if (typeof input !== 'string' && typeof input !== 'number') {
    return addValidationError(items, 'datetime_type', NOT_A_DATETIME, input)
  }
  let instant = typeof input === 'string' ? parseInstant(input) : parseUnixTime(input)
  if (typeof instant === 'string' && typeof input === 'string') {
    instant = parseMidnight(input)
    if (typeof instant === 'string')
      return addErrorWithReason(items, 'datetime_from_date_parsing', `${NOT_A_DATETIME} or date`, instant, input)
  }
  if (typeof instant === 'string') return addErrorWithReason(items, 'datetime_parsing', NOT_A_DATETIME, instant, input)
  if (instant.seconds < FIRST) return addErrorWithReason(items, 'datetime_parsing', NOT_A_DATETIME, YEAR_ZERO, input)
  return toUtc(instant)
}

const EPOCH = new RegExp(EPOCH_PATTERN)
const EPOCH_REFUSED =
  'Input should be a datetime such as 2026-01-31T00:00:00Z, because a number would mean seconds since 1970'

/** Validates a date-time, but rejects numbers: `2026` is a year to people, and 34 minutes past midnight in 1970 to pydantic. */
export const datetimeWithoutEpochValidator: Validator = (input, items) =>
  typeof input === 'string' && !EPOCH.test(input)
    ? datetimeValidator(input, items)
    : addValidationError(items, 'datetime_from_number', EPOCH_REFUSED, input)

/** Validates `format: "date"`: a date, or a datetime at midnight. The result is `YYYY-MM-DD`. */
export const dateValidator: Validator = (input, items) => {
  if (typeof input !== 'string' && typeof input !== 'number')
    return addValidationError(items, 'date_type', NOT_A_DATE, input)
  const instant = parseDate(input)
  if (typeof instant === 'string') {
    return addErrorWithReason(items, 'date_from_datetime_parsing', `${NOT_A_DATE} or datetime`, instant, input)
  }
  if (instant.micros !== 0 || instant.seconds % 86_400 !== 0) {
    const msg = 'Datetimes provided to dates should have zero time - e.g. be exact dates'
    return addValidationError(items, 'date_from_datetime_inexact', msg, input)
  }
  if (instant.seconds < FIRST)
    return addErrorWithReason(items, 'date_parsing', `${NOT_A_DATE} in the format YYYY-MM-DD`, YEAR_ZERO, input)
  return new Date(instant.seconds * 1000).toISOString().slice(0, 10)
}

function parseDate(input: string | number): ParsedInstant | string {
  if (typeof input === 'number') return parseUnixTime(input)
  const midnight = parseMidnight(input)
  return typeof midnight === 'string' ? parseInstant(input) : midnight
}

const addErrorWithReason = (items: ValidationItem[], type: string, msg: string, error: string, input: unknown) =>
  addValidationError(items, type, `${msg}, ${error}`, input, { error })

function toUtc({ seconds, micros, offset }: ParsedInstant): string {
  const utc = seconds - offset
  if (utc < FIRST) return '0001-01-01T00:00:00Z'
  if (utc > LAST) return '9999-12-31T23:59:59.999999Z'
  return `${new Date(utc * 1000).toISOString().slice(0, 19)}${formatFraction(micros)}Z`
}

function formatFraction(micros: number): string {
  if (micros === 0) return ''
  const six = String(micros).padStart(6, '0')
  return `.${six.endsWith('000') ? six.slice(0, 3) : six}`
}
