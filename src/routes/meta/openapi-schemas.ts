import type { Json } from './openapi.ts'

/** Moves schemas with a name (`$id`, `$defs`) to `components`, and returns the schema with references to them. */
export function replaceNamedSchemas(schema: unknown, components: Json): Json {
  if (Array.isArray(schema)) return schema.map((entry) => replaceNamedSchemas(entry, components)) as unknown as Json
  if (typeof schema !== 'object' || schema === null) return schema as Json
  const { $id, $defs, ...rest } = schema as Json & { $id?: string; $defs?: Record<string, unknown> }
  for (const [name, definition] of Object.entries($defs ?? {})) addDefinition(name, definition as Json, components)
  if (typeof rest.$ref === 'string' && !rest.$ref.startsWith('#')) return { $ref: `#/components/schemas/${rest.$ref}` }
  if (typeof rest.$ref === 'string' && rest.$ref.startsWith('#/$defs/'))
    return { $ref: rest.$ref.replace('#/$defs/', '#/components/schemas/') }
  const entries = Object.entries(rest).map(([key, value]) => [key, replaceNamedSchemas(value, components)])
  const replaced = Object.fromEntries(entries) as Json
  if (!$id) return replaced
  if (!($id in components)) components[$id] = replaced
  return { $ref: `#/components/schemas/${$id}` }
}

/** Reserves the name first: a definition may refer to itself. */
function addDefinition(name: string, definition: Json, components: Json): void {
  if (name in components) return
  components[name] = {}
  components[name] = withoutId(replaceNamedSchemas(withoutId(definition), components))
}

function withoutId({ $id: _, ...schema }: Json): Json {
  return schema
}
