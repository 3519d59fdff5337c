import type { TObject, TSchema } from 'typebox'
import { booleanJudge } from './boolean.ts'
import type { NumberLimits } from './number-bounds.ts'
import { dateJudge, datetimeJudge } from './datetime.ts'
import { floatJudge } from './float.ts'
import { integerJudge } from './integer.ts'
import type { Judge } from './validator.ts'
import { listJudge } from './list.ts'
import { type Literal, literalJudge } from './literal.ts'
import { type Field, objectJudge } from './object.ts'
import { type TextLimits, textJudge } from './string.ts'
import { uriJudge } from './uri.ts'

/** What is read of a schema: plain JSON Schema, as TypeBox builds it. */
interface Loose extends NumberLimits, TextLimits {
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

const FORMATS: Record<string, Judge> = { 'date-time': datetimeJudge, date: dateJudge, uri: uriJudge }

const TYPES: Record<string, (schema: Loose) => Judge> = {
  integer: integerJudge,
  number: floatJudge,
  boolean: () => booleanJudge,
  string: (schema) => FORMATS[schema.format ?? ''] ?? textJudge(schema),
  array: (schema) => listJudge(judgeFor(schema.items ?? {}), schema),
  object: (schema) => objectJudge(fieldsOf(schema as TObject)),
}

/** Throws, when a route is declared, for a schema that has no counterpart here. */
export function judgeFor(schema: TSchema): Judge {
  const { type, anyOf, const: literal, enum: several } = schema as Loose
  if (literal !== undefined) return literalJudge([literal])
  if (several) return literalJudge(several)
  if (anyOf) return judgeForUnion(anyOf)
  const build = TYPES[type ?? '']
  if (build) return build(schema as Loose)
  if (type === undefined) return (value) => value
  throw new TypeError(`No way to judge input of type ${type}`)
}

/** Literals, a single schema, and either of them with null. */
function judgeForUnion(options: Loose[]): Judge {
  const others = options.filter((option) => option.type !== 'null')
  const literals = others.flatMap((option) => (option.const === undefined ? [] : [option.const]))
  const [only, another] = others
  if (only === undefined || (another && literals.length < others.length)) {
    throw new TypeError('No way to judge a union of anything but literals, or one schema and null')
  }
  const judge = literals.length === others.length ? literalJudge(literals) : judgeFor(only)
  return others.length === options.length ? judge : (value, items) => (value === null ? null : judge(value, items))
}

/** In declared order. A member with a default is never missing, whether it is optional or not. */
export function fieldsOf(schema: TObject | undefined): Field[] {
  const { properties = {}, required = [] } = (schema ?? {}) as Loose
  return Object.entries(properties).map(([name, member]) => {
    const needed = required.includes(name) && member.default === undefined
    const field = { name, judge: judgeFor(member), required: needed, list: member.type === 'array' }
    return member.default === undefined ? field : { ...field, fallback: () => structuredClone(member.default) }
  })
}
