import type { TSchema } from 'typebox'
import type { Json } from './json-object.ts'

/**
 * Returns the schema of a request body as clients may send it: a member with a default may be left out, and every other optional member may
 * be null, which counts as absent.
 */
export function toInputSchema(schema: TSchema): Json {
  return relax(schema as unknown as Json)
}

function relax(schema: Json): Json {
  const { type, properties, items, anyOf } = schema
  if (Array.isArray(anyOf)) return { ...schema, anyOf: anyOf.map(relax) }
  if (type === 'array' && items) return { ...schema, items: relax(items as Json) }
  if (type !== 'object' || !properties) return schema
  const isRequired = new Set(schema.required as string[] | undefined)
  const entries = Object.entries(properties as Record<string, Json>)
  const members = entries.map(([name, member]) => [name, isRequired.has(name) ? relax(member) : orNull(relax(member))])
  const required = entries.filter(([name, member]) => isRequired.has(name) && !('default' in member))
  const { required: _, ...rest } = schema
  return {
    ...rest,
    ...(required.length > 0 && { required: required.map(([name]) => name) }),
    properties: Object.fromEntries(members),
  }
}

function orNull(schema: Json): Json {
  if (Array.isArray(schema.anyOf) && schema.anyOf.some((option: Json) => option.type === 'null')) return schema
  const { description, ...rest } = schema
  const isNamed = '$id' in schema
  return {
    anyOf: [isNamed ? schema : rest, { type: 'null' }],
    ...(!isNamed && description !== undefined && { description }),
  }
}
