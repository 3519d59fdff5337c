import type { TSchema } from 'typebox'
import type { ValidationItem } from '../../contract/validation.ts'
import { findJsonSyntaxError } from './json-syntax-error.ts'
import { restoreNumberLiterals } from './number-literals.ts'
import type { RawBody } from './request-input.ts'
import { createSchemaValidator } from './schema-validator.ts'
import { addMissingError, prependLocation } from './validator.ts'

/** A body's value, or its mistakes; `malformed` when there was nothing to judge. */
export interface ValidatedBody {
  value?: unknown
  items: ValidationItem[]
  malformed?: ValidationItem
}

export function createBodyValidator(schema: TSchema, optional: boolean): (raw: RawBody) => ValidatedBody {
  const judge = createSchemaValidator(schema)
  return (raw) => {
    const sent = read(raw)
    if (sent.malformed) return { items: [], malformed: sent.malformed }
    const items: ValidationItem[] = []
    const value = sent.value === null ? nothing(optional, items) : judge(sent.value, items)
    if (items.length === 0) return { value, items }
    if (raw.kind === 'json') restoreNumberLiterals(items, raw.text)
    prependLocation(items, 0, 'body')
    return { items }
  }
}

function nothing(optional: boolean, items: ValidationItem[]): undefined {
  if (!optional) addMissingError(items, null)
}

/** A body of `null` is no body, as in FastAPI. */
function read(raw: RawBody): { value: unknown; malformed?: ValidationItem } {
  if (raw.kind === 'absent') return { value: null }
  if (raw.kind === 'other') return { value: raw.text }
  try {
    return { value: JSON.parse(raw.text) }
  } catch {
    return { value: null, malformed: malformed(raw.text) }
  }
}

function malformed(text: string): ValidationItem {
  const { message, position } = findJsonSyntaxError(text)
  return { type: 'json_invalid', loc: ['body', position], msg: 'JSON decode error', input: {}, ctx: { error: message } }
}
