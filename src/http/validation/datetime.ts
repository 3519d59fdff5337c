import type { ValidationItem } from '../../contract/validation.ts'
import { type ParsedInstant, parseInstant, parseMidnight, parseUnixTime } from './instant.ts'
import { addValidationError, type Validator } from './validator.ts'

const FIRST = -62_135_596_800
const LAST = 253_402_300_799
const NOT_A_DATETIME = 'Input should be a valid datetime'
const NOT_A_DATE = 'Input should be a valid date'
const YEAR_ZERO = 'year 0 is out of range'

/**
 * `format: "date-time"`: all that pydantic reads. Handed on is RFC 3339 in UTC, always with `Z`, with no fraction,
 * three digits or six, whichever is exact; without a zone it is UTC. Years stay 0001..9999, whatever the zone.
 */
export const datetimeValidator: Validator = (input, items) => {
  if (typeof input !== 'string' && typeof input !== 'number') {
    return addValidationError(items, 'datetime_type', NOT_A_DATETIME, input)
  }
  let moment = typeof input === 'string' ? parseInstant(input) : parseUnixTime(input)
  if (typeof moment === 'string' && typeof input === 'string') {
    moment = parseMidnight(input)
    if (typeof moment === 'string')
      return because(items, 'datetime_from_date_parsing', `${NOT_A_DATETIME} or date`, moment, input)
  }
  if (typeof moment === 'string') return because(items, 'datetime_parsing', NOT_A_DATETIME, moment, input)
  if (moment.seconds < FIRST) return because(items, 'datetime_parsing', NOT_A_DATETIME, YEAR_ZERO, input)
  return inUtc(moment)
}

/** `format: "date"`: a date, or a datetime at midnight. Handed on as `YYYY-MM-DD`. */
export const dateValidator: Validator = (input, items) => {
  if (typeof input !== 'string' && typeof input !== 'number')
    return addValidationError(items, 'date_type', NOT_A_DATE, input)
  const moment = readDate(input)
  if (typeof moment === 'string') {
    return because(items, 'date_from_datetime_parsing', `${NOT_A_DATE} or datetime`, moment, input)
  }
  if (moment.micros !== 0 || moment.seconds % 86_400 !== 0) {
    const msg = 'Datetimes provided to dates should have zero time - e.g. be exact dates'
    return addValidationError(items, 'date_from_datetime_inexact', msg, input)
  }
  const before = moment.seconds < FIRST
  if (before) return because(items, 'date_parsing', `${NOT_A_DATE} in the format YYYY-MM-DD`, YEAR_ZERO, input)
  return new Date(moment.seconds * 1000).toISOString().slice(0, 10)
}

function readDate(input: string | number): ParsedInstant | string {
  if (typeof input === 'number') return parseUnixTime(input)
  const midnight = parseMidnight(input)
  return typeof midnight === 'string' ? parseInstant(input) : midnight
}

const because = (items: ValidationItem[], type: string, msg: string, error: string, input: unknown) =>
  addValidationError(items, type, `${msg}, ${error}`, input, { error })

function inUtc({ seconds, micros, offset }: ParsedInstant): string {
  const utc = seconds - offset
  if (utc < FIRST) return '0001-01-01T00:00:00Z'
  if (utc > LAST) return '9999-12-31T23:59:59.999999Z'
  return `${new Date(utc * 1000).toISOString().slice(0, 19)}${fraction(micros)}Z`
}

function fraction(micros: number): string {
  if (micros === 0) return ''
  const six = String(micros).padStart(6, '0')
  return `.${six.endsWith('000') ? six.slice(0, 3) : six}`
}
