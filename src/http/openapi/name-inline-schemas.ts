import type { JsonObject } from './json-object.ts'

/**
 * Names the objects and lists of values that a schema has without a name, so that every generator gives them a type: `status` of
 * `CartLineResult` becomes `CartLineResultStatus`.
 */
export function nameInlineSchemas(components: Record<string, JsonObject>): void {
  for (const [name, schema] of Object.entries(components)) components[name] = nameParts(schema, name, components)
}

/** Returns the schema with references to its named parts. */
export function nameParts(schema: JsonObject, name: string, components: Record<string, JsonObject>): JsonObject {
  const { properties, items, anyOf } = schema as {
    properties?: Record<string, JsonObject>
    items?: JsonObject
    anyOf?: JsonObject[]
  }
  const extract = (part: JsonObject, partName: string) => extractPart(part, partName, components)
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([member, part]) => [member, extract(part, name + toPascalCase(member))]),
      ),
    }),
    ...(items && { items: extract(items, name) }),
    ...(anyOf && { anyOf: anyOf.map((option) => extract(option, name)) }),
  }
}

function extractPart(schema: JsonObject, name: string, components: Record<string, JsonObject>): JsonObject {
  const named = nameParts(schema, name, components)
  const isAnonymous = named.properties !== undefined || Array.isArray(named.enum)
  if (!isAnonymous) return named
  const free = toFreeName(name, components)
  components[free] = named
  return { $ref: `#/components/schemas/${free}` }
}

const toPascalCase = (member: string): string =>
  member.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())

function toFreeName(name: string, components: Record<string, JsonObject>): string {
  let free = name
  for (let number = 2; free in components; number += 1) free = `${name}${number}`
  return free
}
