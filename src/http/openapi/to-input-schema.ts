import type { TSchema } from 'typebox'
import type { JsonObject } from './json-object.ts'

/**
 * Returns the schema of a request body as clients may send it: a member with a default may be left out, and every other optional member may
 * be null, which counts as absent.
 */
export function toInputSchema(schema: TSchema): JsonObject {
  return relax(schema as unknown as JsonObject)
}

function relax(schema: JsonObject): JsonObject {
  const { type, properties, items, anyOf } = schema
  if (Array.isArray(anyOf)) return { ...schema, anyOf: anyOf.map(relax) }
  if (type === 'array' && items) return { ...schema, items: relax(items as JsonObject) }
  if (type !== 'object' || !properties) return schema
  const isRequired = new Set(schema.required as string[] | undefined)
  const entries = Object.entries(properties as Record<string, JsonObject>)
  const members = entries.map(([name, member]) => [name, isRequired.has(name) ? relax(member) : orNull(relax(member))])
  const required = entries.filter(([name, member]) => isRequired.has(name) && !('default' in member))
  const { required: _, ...rest } = schema
  return {
    ...rest,
    ...(required.length > 0 && { required: required.map(([name]) => name) }),
    properties: Object.fromEntries(members),
  }
}

function orNull(schema: JsonObject): JsonObject {
  if (Array.isArray(schema.anyOf) && schema.anyOf.some((option: JsonObject) => option.type === 'null')) return schema
  const { description, ...rest } = schema
  const isNamed = '$id' in schema
  return {
    anyOf: [isNamed ? schema : rest, { type: 'null' }],
    ...(!isNamed && description !== undefined && { description }),
  }
}
