import { addMissingError, addValidationError, prependLocation, type Validator } from './validator.ts'

export interface FieldValidator {
  name: string
  judge: Validator
  required: boolean
  /** In a query it may be repeated. */
  list?: boolean
  /** Present when the schema has a default; gives a fresh copy. */
  fallback?: () => unknown
}

const NOT_AN_OBJECT = 'Input should be a valid dictionary or object to extract fields from'

/**
 * Keeps declared members alone. An optional member without a default may be null, which counts as absent:
 * that is what FastAPI's `X | None = None` accepts.
 */
export function createObjectValidator(fields: readonly FieldValidator[]): Validator {
  return (value, items) => {
    if (!isObject(value)) return addValidationError(items, 'model_attributes_type', NOT_AN_OBJECT, value)
    const kept: Record<string, unknown> = {}
    for (const field of fields) {
      const own = Object.hasOwn(value, field.name) ? value[field.name] : undefined
      if (own === undefined) applyMissingField(field, kept, items, value)
      else if (own !== null || field.required || field.fallback) validateField(field, own, kept, items)
      else continue
    }
    return kept
  }
}

/** Judges one member and puts it into `kept`, or its mistakes, located, into `items`. */
export function validateField(
  field: FieldValidator,
  value: unknown,
  kept: Record<string, unknown>,
  items: Items,
): void {
  const start = items.length
  const judged = field.judge(value, items)
  if (items.length > start) prependLocation(items, start, field.name)
  else kept[field.name] = judged
}

/** Fills in the default, or says that the field is missing from `container`. */
export function applyMissingField(
  field: FieldValidator,
  kept: Record<string, unknown>,
  items: Items,
  container: unknown,
): void {
  if (field.fallback) {
    kept[field.name] = field.fallback()
  } else if (field.required) {
    const start = items.length
    addMissingError(items, container)
    prependLocation(items, start, field.name)
  }
}

type Items = Parameters<Validator>[1]

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
