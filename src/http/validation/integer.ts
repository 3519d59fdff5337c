import { createBoundsCheck, type NumberLimits } from './number-bounds.ts'
import { stripDigitSeparators } from './strip-digit-separators.ts'
import { trimUnicodeWhitespace } from './trim-unicode-whitespace.ts'
import { addValidationError } from './validation-items.ts'
import type { Validator } from './validator.ts'

const MAX_DIGITS = 4300
const NOT_AN_INTEGER = 'Input should be a valid integer'
const PLAIN = /^\d{1,15}$/
const DIGITS = /^-?\d+$/
const CANONICAL = /^-?[1-9]\d*$/

export interface IntegerLimits extends NumberLimits {
  /** Accepts no other value than a number of JSON, as pydantic's strict int. */
  'x-strict'?: boolean
}

/**
 * Validates as pydantic's lax int. An integer beyond ±(2⁵³ − 1) that is within the bounds is rejected as `int_parsing_size`:
 * a JavaScript number could not hold it exactly.
 */
export function createIntegerValidator(limits: IntegerLimits): Validator {
  const checkBounds = createBoundsCheck(limits, 'integer')
  return (input, items) => {
    if (limits['x-strict'] && typeof input !== 'number')
      return addValidationError(items, 'int_type', MESSAGES.int_type, input)
    const value = typeof input === 'string' ? parseIntegerText(input) : parseIntegerValue(input)
    if (typeof value === 'string') return addValidationError(items, value, MESSAGES[value], input)
    const before = items.length
    checkBounds(value, input, items)
    if (items.length > before) return
    const exact = Number(value)
    return Number.isSafeInteger(exact)
      ? exact + 0
      : addValidationError(items, 'int_parsing_size', MESSAGES.int_parsing_size, input)
  }
}

const MESSAGES = {
  int_type: NOT_AN_INTEGER,
  int_parsing: `${NOT_AN_INTEGER}, unable to parse string as an integer`,
  int_from_float: `${NOT_AN_INTEGER}, got a number with a fractional part`,
  int_parsing_size: 'Unable to parse input string as an integer, exceeded maximum size',
  finite_number: 'Input should be a finite number',
}
type IntegerError = keyof typeof MESSAGES

function parseIntegerValue(value: unknown): number | IntegerError {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value !== 'number') return 'int_type'
  if (!Number.isFinite(value)) return 'finite_number'
  return Number.isInteger(value) ? value : 'int_from_float'
}

function parseIntegerText(text: string): number | bigint | IntegerError {
  if (PLAIN.test(text)) return Number(text)
  const isCanonical = CANONICAL.test(text)
  const whole = isCanonical ? text : clean(text)
  if (whole === undefined || !DIGITS.test(whole)) return 'int_parsing'
  if (whole.length <= 15) return Number(whole)
  if (whole.replace('-', '').length <= MAX_DIGITS) return BigInt(whole)
  return isCanonical ? 'int_parsing_size' : 'int_parsing'
}

/** Removes what Python's int() and pydantic accept: spaces, a plus, leading zeros, `.000` and single underscores. */
function clean(text: string): string | undefined {
  const trimmed = trimUnicodeWhitespace(text)
  const signed = /^(?:\+|\+?-)/.exec(trimmed)?.[0] ?? ''
  if (signed === '+-') return undefined
  const body = stripLeadingZeros(trimmed.slice(signed.length))
  if (body === undefined) return undefined
  const point = body.indexOf('.')
  const whole = point >= 0 && /^\.0+$/.test(body.slice(point)) ? body.slice(0, point) : body
  return (signed === '-' ? '-' : '') + (stripDigitSeparators(whole) ?? whole)
}

function stripLeadingZeros(text: string): string | undefined {
  if (!text.startsWith('0')) return /^\d/.test(text) ? text : undefined
  const zeros = /^[0_]+/.exec(text)![0].length
  if (zeros === text.length) return text.endsWith('_') ? undefined : '0'
  return text[zeros] === '.' ? text.slice(zeros - 1) : text.slice(zeros)
}
