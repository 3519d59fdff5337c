import { addValidationError, prependLocation, type Validator } from './validator.ts'

/** A hostile list could have a mistake in each of a million items; the answer names about this many at most. */
const MOST_ITEMS = 1000

export function createListValidator(
  item: Validator,
  { minItems = 0, maxItems = Infinity }: { minItems?: number; maxItems?: number },
): Validator {
  return (value, items) => {
    if (!Array.isArray(value)) return addValidationError(items, 'list_type', 'Input should be a valid list', value)
    if (value.length > maxItems) return wrongLength(items, value, 'too_long', 'at most', 'max_length', maxItems)
    const kept = new Array<unknown>(value.length)
    const before = items.length
    for (let at = 0; at < value.length && items.length < MOST_ITEMS; at += 1) {
      const start = items.length
      kept[at] = item(value[at], items)
      if (items.length > start) prependLocation(items, start, at)
    }
    if (items.length > before) return
    if (value.length < minItems) return wrongLength(items, value, 'too_short', 'at least', 'min_length', minItems)
    return kept
  }
}

function wrongLength(
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
