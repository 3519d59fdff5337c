import type { TObject, TSchema } from 'typebox'
import { booleanValidator } from './boolean.ts'
import { datetimeValidator, datetimeWithoutEpochValidator, dateValidator } from './date-and-datetime.ts'
import { createFloatValidator } from './float.ts'
import { createIntegerValidator, type IntegerLimits } from './integer.ts'
import { createListValidator } from './list.ts'
import { createLiteralValidator, type Literal } from './literal.ts'
import { createObjectValidator, type FieldValidator } from './object.ts'
import { createChoiceValidator } from './object-choice.ts'
import { createStringValidator, type StringLimits } from './string.ts'
import { uriValidator } from './uri.ts'
import type { Validator } from './validator.ts'

/** The supported keywords of JSON Schema, as TypeBox writes it. */
interface JsonSchema extends IntegerLimits, StringLimits {
  minItems?: number
  maxItems?: number
  type?: string
  format?: string
  const?: Literal
  enum?: Literal[]
  anyOf?: JsonSchema[]
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
  default?: unknown
  /** In a query, separates the items of a list within one value. */
  'x-separator'?: string
  /** Only the length of such a text is checked here: a command checks the other keywords. */
  'x-checked-later'?: boolean
  /** On a date-time: a number is not a unix time. */
  not?: { pattern?: string }
  /** In a union of two objects: an object with this member, and without the required ones of the first, is of the second kind. */
  'x-second-with'?: string
}

const FORMATS: Record<string, Validator> = { 'date-time': datetimeValidator, date: dateValidator, uri: uriValidator }

const TYPES: Record<string, (schema: JsonSchema) => Validator> = {
  integer: createIntegerValidator,
  number: createFloatValidator,
  boolean: () => booleanValidator,
  string: createTextValidator,
  array: (schema) => createListValidator(createSchemaValidator(schema.items ?? {}), schema),
  object: (schema) => createObjectValidator(createFieldValidators(schema as TObject)),
}

function createTextValidator(schema: JsonSchema): Validator {
  if (schema.format === 'date-time' && schema.not) return datetimeWithoutEpochValidator
  return FORMATS[schema.format ?? ''] ?? createStringValidator(schema)
}

/** Throws for a schema that is not supported, so that declaring the route fails. */
export function createSchemaValidator(schema: TSchema): Validator {
  const { type, anyOf, const: literal, enum: values, pattern: _, ...limits } = schema as JsonSchema
  if (limits['x-checked-later']) return createStringValidator(limits)
  if (literal !== undefined) return createLiteralValidator([literal])
  if (values) return createLiteralValidator(values)
  const secondMember = (schema as JsonSchema)['x-second-with']
  if (anyOf && secondMember !== undefined) return createObjectChoiceValidator(anyOf, secondMember)
  if (anyOf) return createUnionValidator(anyOf)
  const build = TYPES[type ?? '']
  if (build) return build(schema as JsonSchema)
  if (type === undefined) return (value) => value
  throw new TypeError(`Input of type ${type} is not supported`)
}

const createObjectChoiceValidator = ([first = {}, second = {}]: JsonSchema[], secondMember: string) =>
  createChoiceValidator({
    first: createSchemaValidator(first),
    second: createSchemaValidator(second),
    secondMember,
    firstMembers: first.required ?? [],
  })

/** Supports literals, or a single schema, each with or without null. */
function createUnionValidator(options: JsonSchema[]): Validator {
  const nonNull = options.filter((option) => option.type !== 'null')
  const literals = nonNull.flatMap((option) => (option.const === undefined ? [] : [option.const]))
  const [only, another] = nonNull
  if (only === undefined || (another && literals.length < nonNull.length)) {
    throw new TypeError('Only unions of literals, or of one schema and null, are supported')
  }
  const validate = literals.length === nonNull.length ? createLiteralValidator(literals) : createSchemaValidator(only)
  return nonNull.length === options.length
    ? validate
    : (value, items) => (value === null ? null : validate(value, items))
}

/** Returns the validators of an object's members, in declared order. A member with a default is never missing. */
export function createFieldValidators(schema: TObject | undefined): FieldValidator[] {
  const { properties = {}, required = [] } = (schema ?? {}) as JsonSchema
  return Object.entries(properties).map(([name, member]) => {
    const hasDefault = member.default !== undefined
    return {
      name,
      validate: createSchemaValidator(member),
      required: required.includes(name) && !hasDefault,
      isList: member.type === 'array',
      separator: member['x-separator'],
      ...(hasDefault && { createDefault: () => structuredClone(member.default) }),
    }
  })
}
