import type { TSchema } from 'typebox'
import type { ValidationItem } from '../../contract/validation.ts'
import { judgeFor } from './schema-validator.ts'
import { jsonMistake } from './json-syntax-error.ts'
import { locate, missing } from './validator.ts'
import { keepNumerals } from './number-literals.ts'
import type { RawBody } from './request-input.ts'

/** A body's value, or its mistakes; `malformed` when there was nothing to judge. */
export interface JudgedBody {
  value?: unknown
  items: ValidationItem[]
  malformed?: ValidationItem
}

export function bodyJudge(schema: TSchema, optional: boolean): (raw: RawBody) => JudgedBody {
  const judge = judgeFor(schema)
  return (raw) => {
    const sent = read(raw)
    if (sent.malformed) return { items: [], malformed: sent.malformed }
    const items: ValidationItem[] = []
    const value = sent.value === null ? nothing(optional, items) : judge(sent.value, items)
    if (items.length === 0) return { value, items }
    if (raw.kind === 'json') keepNumerals(items, raw.text)
    locate(items, 0, 'body')
    return { items }
  }
}

function nothing(optional: boolean, items: ValidationItem[]): undefined {
  if (!optional) missing(items, null)
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
  const { message, position } = jsonMistake(text)
  return { type: 'json_invalid', loc: ['body', position], msg: 'JSON decode error', input: {}, ctx: { error: message } }
}
