import { createBoundsCheck, type NumberLimits } from './number-bounds.ts'
import { stripDigitSeparators } from './strip-digit-separators.ts'
import { trimUnicodeWhitespace } from './trim-unicode-whitespace.ts'
import { addValidationError } from './validation-items.ts'
import type { Validator } from './validator.ts'

const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i
const INFINITE = /^[+-]?inf(?:inity)?$/i
const NOT_A_NUMBER = /^[+-]?nan$/i

/**
 * Validates as pydantic's lax float: `"2"` and `true` are numbers. The bounds check NaN and the infinities first, so that the
 * errors are pydantic's; those within the bounds are rejected as `finite_number`.
 */
export function createFloatValidator(limits: NumberLimits): Validator {
  const checkBounds = createBoundsCheck(limits, 'float')
  return (input, items) => {
    const value = toFloat(input)
    if (value === undefined) return addFloatError(input, items)
    const before = items.length
    checkBounds(value, input, items)
    if (items.length > before) return
    return Number.isFinite(value)
      ? value
      : addValidationError(items, 'finite_number', 'Input should be a finite number', input)
  }
}

const addFloatError: Validator = (input, items) =>
  typeof input === 'string'
    ? addValidationError(
        items,
        'float_parsing',
        'Input should be a valid number, unable to parse string as a number',
        input,
      )
    : addValidationError(items, 'float_type', 'Input should be a valid number', input)

function toFloat(input: unknown): number | undefined {
  if (typeof input === 'number') return input
  if (typeof input === 'boolean') return input ? 1 : 0
  if (typeof input !== 'string') return undefined
  const stripped = stripDigitSeparators(input)
  return parseFloatText(trimUnicodeWhitespace(input)) ?? (stripped === undefined ? undefined : parseFloatText(stripped))
}

function parseFloatText(text: string): number | undefined {
  if (DECIMAL.test(text)) return Number(text)
  if (NOT_A_NUMBER.test(text)) return Number.NaN
  if (INFINITE.test(text)) return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  return undefined
}
