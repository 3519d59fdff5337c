import type { TSchema } from 'typebox'
import type { ValidationItem } from '../../contract/validation-error.ts'
import type { UnparsedBody } from '../body/read-body.ts'
import { createIgnoredBodyMemberHint } from './ignored-body-member-hint.ts'
import { findJsonSyntaxError } from './json-syntax-error.ts'
import { restoreNumberLiterals } from './restore-number-literals.ts'
import { createSchemaValidator } from './schema-validator.ts'
import { addMissingError, prependLocation } from './validation-items.ts'

/** A body's value, or its validation errors; `malformed` when it is not JSON, and reported alone. */
export interface ValidatedBody {
  value?: unknown
  /** A text about a member that was ignored. */
  hint?: string | null
  items: ValidationItem[]
  malformed?: ValidationItem
}

export function createBodyValidator(schema: TSchema, optional: boolean): (raw: UnparsedBody) => ValidatedBody {
  const validate = createSchemaValidator(schema)
  const hintAt = createIgnoredBodyMemberHint(schema)
  return (raw) => {
    const parsed = parse(raw)
    if (parsed.malformed) return { items: [], malformed: parsed.malformed }
    const items: ValidationItem[] = []
    const value = parsed.value === null ? addMissingBody(optional, items) : validate(parsed.value, items)
    const hint = hintAt(parsed.value)
    if (items.length === 0) return { value, hint, items }
    if (raw.kind === 'json') restoreNumberLiterals(items, raw.text)
    prependLocation(items, 0, 'body')
    return { hint, items }
  }
}

function addMissingBody(optional: boolean, items: ValidationItem[]): undefined {
  if (!optional) addMissingError(items, null)
}

/** A body of `null` counts as no body, as in FastAPI. */
function parse(raw: UnparsedBody): { value: unknown; malformed?: ValidationItem } {
  if (raw.kind === 'absent') return { value: null }
  if (raw.kind === 'other') return { value: raw.text }
  try {
    return { value: JSON.parse(raw.text) }
  } catch {
    return { value: null, malformed: toJsonError(raw.text) }
  }
}

function toJsonError(text: string): ValidationItem {
  const { message, position } = findJsonSyntaxError(text)
  return { type: 'json_invalid', loc: ['body', position], msg: 'JSON decode error', input: {}, ctx: { error: message } }
}
