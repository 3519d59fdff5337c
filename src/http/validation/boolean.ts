import { addValidationError } from './validation-items.ts'
import type { Validator } from './validator.ts'

const TRUE = new Set(['1', 't', 'y', 'on', 'yes', 'true'])
const FALSE = new Set(['0', 'f', 'n', 'no', 'off', 'false'])

/** Validates as pydantic's lax bool: 0, 1 and their usual words in any case, without surrounding spaces. */
export const booleanValidator: Validator = (value, items) => {
  if (typeof value === 'boolean') return value
  if (typeof value === 'string' ? value.length > 5 : !isInt64(value)) return addBooleanError(value, items)
  const word = String(value).toLowerCase()
  if (TRUE.has(word)) return true
  if (FALSE.has(word)) return false
  return addBooleanError(value, items)
}

const isInt64 = (value: unknown) => typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 63

const addBooleanError: Validator = (value, items) =>
  typeof value === 'string' || isInt64(value)
    ? addValidationError(items, 'bool_parsing', 'Input should be a valid boolean, unable to interpret input', value)
    : addValidationError(items, 'bool_type', 'Input should be a valid boolean', value)
