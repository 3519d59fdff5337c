import { addValidationError, prependLocation } from './validation-items.ts'
import type { Validator } from './validator.ts'

/** Bounds the response: a hostile list could have an error in each of a million items. */
const MAX_ERRORS = 1000

export function createListValidator(
  validateItem: Validator,
  { minItems = 0, maxItems = Infinity }: { minItems?: number; maxItems?: number },
): Validator {
  return (value, items) => {
    if (!Array.isArray(value)) return addValidationError(items, 'list_type', 'Input should be a valid list', value)
    if (value.length > maxItems) return addLengthError(items, value, 'too_long', 'at most', 'max_length', maxItems)
    const result = new Array<unknown>(value.length)
    const before = items.length
    for (let at = 0; at < value.length && items.length < MAX_ERRORS; at += 1) {
      const start = items.length
      result[at] = validateItem(value[at], items)
      if (items.length > start) prependLocation(items, start, at)
    }
    if (items.length > before) return
    if (value.length < minItems) return addLengthError(items, value, 'too_short', 'at least', 'min_length', minItems)
    return result
  }
}

function addLengthError(
  items: Parameters<Validator>[1],
  value: unknown[],
  type: string,
  words: string,
  name: string,
  limit: number,
): undefined {
  const msg = `List should have ${words} ${limit} item${limit === 1 ? '' : 's'} after validation, not ${value.length}`
  addValidationError(items, type, msg, value, { field_type: 'List', [name]: limit, actual_length: value.length })
}
