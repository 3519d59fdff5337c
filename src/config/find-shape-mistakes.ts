import type { TSchema } from 'typebox'
import type { TLocalizedValidationError } from 'typebox/error'
import type { ConfigMistake } from './config-error.ts'
import { configRemedies } from './config-remedies.ts'
import { findSchemaErrors } from './schema-errors.ts'

/** Lists where a value does not match the schema. `place`: the path of the value in the file. */
export const findShapeMistakes = (schema: TSchema, value: unknown, place: string): ConfigMistake[] =>
  findSchemaErrors(schema, value).map((error) => toMistake(error, place))

/** Descriptions of a text that does not match its pattern, by the last name of its path: few people can read a pattern. */
const patternMistakes: Readonly<Record<string, string>> = {
  currency: 'is not a currency',
  store: 'is not a store URL',
  from: 'is not an email address',
  key: 'is not a key',
  previous_keys: 'is not a key',
  allow: 'is not a host',
  token: 'is empty or contains characters that an HTTP header cannot carry',
  ...Object.fromEntries(
    ['address', 'url', 'verify_url', 'reset_url', 'public_url'].map((name) => [name, 'is not a usable URL']),
  ),
}

function toMistake(error: TLocalizedValidationError, place: string): ConfigMistake {
  const path = [place, ...error.instancePath.split('/').slice(1)].filter(Boolean).join('.')
  const name = path in configRemedies ? path : settingName(path)
  const params = error.params as {
    additionalProperties?: string[]
    requiredProperties?: string[]
    allowedValues?: unknown[]
  }
  if (params.additionalProperties?.length) {
    const mistake = `unknown setting ${params.additionalProperties.join(', ')}`
    return { path, mistake, remedy: configRemedies[name] ?? 'Check the spelling, or remove it' }
  }
  if (params.requiredProperties)
    return { path, mistake: `missing ${params.requiredProperties.join(', ')}`, remedy: 'Add it' }
  if (params.allowedValues)
    return { path, mistake: error.message, remedy: `Use one of ${params.allowedValues.join(', ')}` }
  const remedy = path === '' ? 'A configuration is a YAML mapping that contains merchants' : configRemedies[name]
  const patternMistake = error.keyword === 'pattern' ? patternMistakes[name] : undefined
  return { path, mistake: patternMistake ?? error.message, remedy: remedy ?? 'Correct the value' }
}

/** Returns the last name of a path. An entry of a list has the name of the list. */
const settingName = (path: string): string =>
  path
    .replace(/(\.\d+)+$/, '')
    .split('.')
    .at(-1)!
