import { isDeepStrictEqual } from 'node:util'
import type { JsonObject } from './json-object.ts'

/**
 * Moves schemas with a name (`$id`, `$defs`) to `components`, and returns the schema with references to them. Throws if two schemas have the
 * same name.
 */
export function replaceNamedSchemas(schema: unknown, components: JsonObject): JsonObject {
  if (Array.isArray(schema))
    return schema.map((entry) => replaceNamedSchemas(entry, components)) as unknown as JsonObject
  if (typeof schema !== 'object' || schema === null) return schema as JsonObject
  const { $id, $defs, ...rest } = schema as JsonObject & { $id?: string; $defs?: Record<string, unknown> }
  for (const [name, definition] of Object.entries($defs ?? {}))
    addDefinition(name, definition as JsonObject, components)
  if (typeof rest.$ref === 'string') return { $ref: toComponentReference(rest.$ref) }
  const entries = Object.entries(rest).map(([key, value]) => [key, replaceNamedSchemas(value, components)])
  const replaced = withType(Object.fromEntries(entries))
  if (!$id) return replaced
  if ($id in components && !isDeepStrictEqual(components[$id], replaced))
    throw new Error(`Two schemas have the name ${$id}`)
  components[$id] = replaced
  return { $ref: toComponentReference($id) }
}

const toComponentReference = (name: string): string =>
  name.startsWith('#/components/') ? name : `#/components/schemas/${name.replace('#/$defs/', '')}`

/** Adds the type of a list of texts, which TypeBox leaves out and some generators need. */
function withType(schema: JsonObject): JsonObject {
  const { enum: values, type } = schema
  const isTextEnum = type === undefined && Array.isArray(values) && values.every((value) => typeof value === 'string')
  return isTextEnum ? { type: 'string', ...schema } : schema
}

/** Reserves the name first: a definition may refer to itself. */
function addDefinition(name: string, definition: JsonObject, components: JsonObject): void {
  if (name in components) return
  components[name] = {}
  components[name] = withoutId(replaceNamedSchemas(withoutId(definition), components))
}

function withoutId({ $id: _, ...schema }: JsonObject): JsonObject {
  return schema
}
