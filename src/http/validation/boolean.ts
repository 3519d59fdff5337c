import { addValidationError, type Validator } from './validator.ts'

const TRUE = new Set(['1', 't', 'y', 'on', 'yes', 'true'])
const FALSE = new Set(['0', 'f', 'n', 'no', 'off', 'false'])

/** Pydantic's lax bool: 0, 1 and their usual words in any case, without spaces around. */
export const booleanValidator: Validator = (value, items) => {
  if (typeof value === 'boolean') return value
  if (typeof value === 'string' ? value.length > 5 : !isCount(value)) return notABoolean(value, items)
  const word = String(value).toLowerCase()
  if (TRUE.has(word)) return true
  if (FALSE.has(word)) return false
  return notABoolean(value, items)
}

const isCount = (value: unknown) => typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 63

const notABoolean: Validator = (value, items) =>
  typeof value === 'string' || isCount(value)
    ? addValidationError(items, 'bool_parsing', 'Input should be a valid boolean, unable to interpret input', value)
    : addValidationError(items, 'bool_type', 'Input should be a valid boolean', value)
