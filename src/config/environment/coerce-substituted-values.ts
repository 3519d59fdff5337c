import type { TSchema } from 'typebox'
import { findSchemaErrors } from '../schema/find-schema-errors.ts'
import type { SubstitutedFile } from './substitute-variables.ts'

/** Converts texts from the environment to numbers and booleans where the schema wants these, in `value` itself. `path`: of `value` in the file. */
export function coerceSubstitutedValues(
  schema: TSchema,
  value: unknown,
  path: string,
  variableNames: SubstitutedFile['variableNames'],
): void {
  // Repeated while it helps, because the number of errors that are found at once is limited.
  while (variableNames.size > 0 && findSchemaErrors(schema, value).filter(coerce).length > 0);

  function coerce({ keyword, instancePath }: ReturnType<typeof findSchemaErrors>[number]): boolean {
    const names = instancePath.split('/').slice(1)
    if (keyword !== 'type' || !variableNames.has([path, ...names].filter(Boolean).join('.'))) return false
    const last = names.pop()!
    // biome-ignore lint/suspicious/noExplicitAny: the schema error proves that the path exists
    const parent = names.reduce((object: any, name) => object[name], value)
    const scalar = parseScalar(parent[last])
    if (scalar === undefined) return false
    parent[last] = scalar
    return true
  }
}

function parseScalar(text: unknown): number | boolean | undefined {
  // A value that was converted and still does not match the schema.
  if (typeof text !== 'string') return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'number' || typeof value === 'boolean' ? value : undefined
  } catch {
    return undefined
  }
}
