import type { TObject, TSchema } from 'typebox'
import { booleanValidator } from './boolean.ts'
import { datetimeValidator, dateValidator } from './datetime.ts'
import { createFloatValidator } from './float.ts'
import { createIntegerValidator } from './integer.ts'
import { createListValidator } from './list.ts'
import { createLiteralValidator, type Literal } from './literal.ts'
import type { NumberLimits } from './number-bounds.ts'
import { createObjectValidator, type FieldValidator } from './object.ts'
import { createStringValidator, type StringLimits } from './string.ts'
import { uriValidator } from './uri.ts'
import type { Validator } from './validator.ts'

/** What is read of a schema: plain JSON Schema, as TypeBox builds it. */
interface Loose extends NumberLimits, StringLimits {
  minItems?: number
  maxItems?: number
  type?: string
  format?: string
  const?: Literal
  enum?: Literal[]
  anyOf?: Loose[]
  items?: Loose
  properties?: Record<string, Loose>
  required?: string[]
  default?: unknown
}

const FORMATS: Record<string, Validator> = { 'date-time': datetimeValidator, date: dateValidator, uri: uriValidator }

const TYPES: Record<string, (schema: Loose) => Validator> = {
  integer: createIntegerValidator,
  number: createFloatValidator,
  boolean: () => booleanValidator,
  string: (schema) => FORMATS[schema.format ?? ''] ?? createStringValidator(schema),
  array: (schema) => createListValidator(createSchemaValidator(schema.items ?? {}), schema),
  object: (schema) => createObjectValidator(createFieldValidators(schema as TObject)),
}

/** Throws, when a route is declared, for a schema that has no counterpart here. */
export function createSchemaValidator(schema: TSchema): Validator {
  const { type, anyOf, const: literal, enum: several } = schema as Loose
  if (literal !== undefined) return createLiteralValidator([literal])
  if (several) return createLiteralValidator(several)
  if (anyOf) return judgeForUnion(anyOf)
  const build = TYPES[type ?? '']
  if (build) return build(schema as Loose)
  if (type === undefined) return (value) => value
  throw new TypeError(`No way to judge input of type ${type}`)
}

/** Literals, a single schema, and either of them with null. */
function judgeForUnion(options: Loose[]): Validator {
  const others = options.filter((option) => option.type !== 'null')
  const literals = others.flatMap((option) => (option.const === undefined ? [] : [option.const]))
  const [only, another] = others
  if (only === undefined || (another && literals.length < others.length)) {
    throw new TypeError('No way to judge a union of anything but literals, or one schema and null')
  }
  const judge = literals.length === others.length ? createLiteralValidator(literals) : createSchemaValidator(only)
  return others.length === options.length ? judge : (value, items) => (value === null ? null : judge(value, items))
}

/** In declared order. A member with a default is never missing, whether it is optional or not. */
export function createFieldValidators(schema: TObject | undefined): FieldValidator[] {
  const { properties = {}, required = [] } = (schema ?? {}) as Loose
  return Object.entries(properties).map(([name, member]) => {
    const needed = required.includes(name) && member.default === undefined
    const field = { name, judge: createSchemaValidator(member), required: needed, list: member.type === 'array' }
    return member.default === undefined ? field : { ...field, fallback: () => structuredClone(member.default) }
  })
}
