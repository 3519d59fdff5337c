import type { TSchema } from 'typebox'
import type { TLocalizedValidationError } from 'typebox/error'
import type { ConfigMistake } from '../config-error.ts'
import { suggestName } from '../suggest-name.ts'
import { findPatternMistake } from './find-pattern-mistake.ts'
import { findSettingRemedy } from './find-setting-remedy.ts'

/** The part of a file that does not match its schema. */
export interface MistakenPart {
  path: string
  schema: PartSchema | undefined
  value: unknown
}

export type PartSchema = TSchema & {
  type?: string
  minimum?: number
  maximum?: number
  description?: string
  properties?: Record<string, TSchema>
}

/** Describes an error in plain words, because the validator's message is not for people. No value is repeated, because it may be a secret. */
export const describeShapeError = (error: TLocalizedValidationError, part: MistakenPart): ConfigMistake => ({
  path: part.path,
  mistake: describeMistake(error, part),
  remedy: describeRemedy(error, part),
})

const typeMistakes: Readonly<Record<string, string>> = {
  integer: 'is not a whole number',
  number: 'is not a number',
  boolean: 'is neither true nor false',
  string: 'is not text',
  object: 'is not a group of settings',
  array: 'is not a list',
}

function describeMistake({ keyword, params }: TLocalizedValidationError, { path, value }: MistakenPart): string {
  const { limit, type } = params as { limit?: number; type?: string }
  switch (keyword) {
    case 'type':
      if (value === null || value === undefined) return 'is empty'
      return type === 'string' && isScalar(value) ? `is a ${typeof value}, not text` : typeMistakes[String(type)]!
    case 'minimum':
      return `is less than ${limit}`
    case 'maximum':
      return `is more than ${limit}`
    case 'minLength':
      return value === '' ? 'is empty' : `is shorter than ${limit} characters`
    case 'maxLength':
      return `is longer than ${limit} characters`
    case 'minItems':
      return Array.isArray(value) && value.length > 0 ? `has fewer than ${limit} entries` : 'is an empty list'
    case 'maxItems':
      return `has more than ${limit} entries`
    case 'minProperties':
      return 'is empty'
    case 'enum':
      return 'is not a known value'
    case 'pattern':
      return findPatternMistake(path) ?? 'does not have the right form'
    default:
      return 'is not valid'
  }
}

const isScalar = (value: unknown) => typeof value === 'number' || typeof value === 'boolean'

function describeRemedy({ keyword, params }: TLocalizedValidationError, part: MistakenPart): string {
  const { path, schema, value } = part
  if (path === '') return 'A configuration is a YAML mapping that contains merchants'
  const { allowedValues } = params as { allowedValues?: string[] }
  if (allowedValues) {
    const suggestion = typeof value === 'string' ? suggestName(value, allowedValues) : undefined
    return [suggestion, `Use one of ${allowedValues.join(', ')}`].filter(Boolean).join(' ')
  }
  if (keyword === 'type' && schema?.type === 'string' && isScalar(value)) return 'Put it in quotes'
  return findSettingRemedy(path) ?? describeExpectation(keyword, schema)
}

function describeExpectation(keyword: string, schema: PartSchema | undefined): string {
  if (keyword === 'pattern' && schema?.description) return `Expected: ${schema.description.replace(/\.$/, '')}`
  switch (schema?.type) {
    case 'integer':
      return `Give a whole number${describeRange(schema)}`
    case 'number':
      return `Give a number${describeRange(schema)}`
    case 'boolean':
      return 'Give true or false'
    case 'object':
      return `Give a group of settings: ${Object.keys(schema.properties ?? {}).join(', ')}`
    case 'array':
      return 'Give a list'
    case 'string':
      return 'Give text'
    default:
      return 'Correct the value'
  }
}

function describeRange({ minimum, maximum }: PartSchema): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`
  return minimum === undefined ? '' : ` of at least ${minimum}`
}
