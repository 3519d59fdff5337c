import { addMissingError, addValidationError, prependLocation } from './validation-items.ts'
import type { Validator } from './validator.ts'

export interface FieldValidator {
  name: string
  validate: Validator
  required: boolean
  /** A query may repeat it. */
  isList?: boolean
  /** In a query, separates the items of a list within one value. */
  separator?: string | undefined
  /** Returns a copy of the schema's default, where it has one. */
  createDefault?: () => unknown
}

const NOT_AN_OBJECT = 'Input should be a valid dictionary or object to extract fields from'

/**
 * Validates an object and returns its declared members alone. An optional member without a default may be null, which counts
 * as absent, as FastAPI's `X | None = None` accepts it.
 */
export function createObjectValidator(fields: readonly FieldValidator[]): Validator {
  return (value, items) => {
    if (!isObject(value)) return addValidationError(items, 'model_attributes_type', NOT_AN_OBJECT, value)
    const output: Record<string, unknown> = {}
    for (const field of fields) {
      const own = Object.hasOwn(value, field.name) ? value[field.name] : undefined
      if (own === undefined) applyMissingField(field, output, items, value)
      else if (own !== null || field.required || field.createDefault) validateField(field, own, output, items)
      else continue
    }
    return output
  }
}

/** Validates one member: adds its value to `output`, or its errors to `items`. */
export function validateField(
  field: FieldValidator,
  value: unknown,
  output: Record<string, unknown>,
  items: Items,
): void {
  const start = items.length
  const converted = field.validate(value, items)
  if (items.length > start) prependLocation(items, start, field.name)
  else output[field.name] = converted
}

/** Adds the default to `output`, or reports that the field is missing from `container`. */
export function applyMissingField(
  field: FieldValidator,
  output: Record<string, unknown>,
  items: Items,
  container: unknown,
): void {
  if (field.createDefault) {
    output[field.name] = field.createDefault()
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
