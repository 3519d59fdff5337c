import type { TSchema } from 'typebox'
import type { TLocalizedValidationError } from 'typebox/error'
import type { ConfigMistake } from '../config-error.ts'
import { findSchemaErrors } from '../schema/find-schema-errors.ts'
import { suggestName } from '../suggest-name.ts'
import { describeShapeError, type PartSchema } from './describe-shape-error.ts'

/** Lists where a value does not match the schema. `path`: of the value in the file. */
export const findShapeMistakes = (schema: TSchema, value: unknown, path: string): ConfigMistake[] =>
  findSchemaErrors(schema, value).flatMap((error) => toMistakes(error, { schema, value, path }))

interface CheckedValue {
  schema: TSchema
  value: unknown
  path: string
}

const listFormat = new Intl.ListFormat('en')

function toMistakes(
  error: TLocalizedValidationError,
  { schema, value, path: valuePath }: CheckedValue,
): ConfigMistake[] {
  const names = error.instancePath.split('/').slice(1)
  const path = joinPath(valuePath, ...names)
  const part = names.reduce(schemaOfMember, schema as PartSchema | undefined)
  const params = error.params as { additionalProperties?: string[]; requiredProperties?: string[] }
  if (params.additionalProperties) {
    const known = Object.keys(part?.properties ?? {})
    return params.additionalProperties.map((name) => ({
      path: joinPath(path, name),
      mistake: 'is not a setting',
      remedy: suggestName(name, known) ?? describeKnownNames(known),
    }))
  }
  const missing = params.requiredProperties
  if (missing) {
    const isOne = missing.length === 1
    const mistake = `${listFormat.format(missing)} ${isOne ? 'is' : 'are'} missing`
    return [{ path, mistake, remedy: `Add ${isOne ? 'it' : 'them'}` }]
  }
  return [describeShapeError(error, { path, schema: part, value: names.reduce(memberOf, value) })]
}

const joinPath = (...names: string[]): string => names.filter(Boolean).join('.')

const describeKnownNames = (known: readonly string[]): string =>
  known.length === 0 ? 'Check the spelling, or remove it' : `Use one of ${known.join(', ')}, or remove it`

const memberOf = (value: unknown, name: string): unknown => (value as Record<string, unknown> | null)?.[name]

interface SchemaParts {
  properties?: Record<string, PartSchema>
  patternProperties?: Record<string, PartSchema>
  items?: PartSchema
}

/** Returns the schema of a member of an object, a record or a list. */
function schemaOfMember(schema: PartSchema | undefined, name: string): PartSchema | undefined {
  const { properties, patternProperties, items } = (schema ?? {}) as SchemaParts
  return properties?.[name] ?? Object.values(patternProperties ?? {})[0] ?? items
}
