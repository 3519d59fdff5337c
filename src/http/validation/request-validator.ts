import type { IncomingHttpHeaders } from 'node:http'
import type { TObject } from 'typebox'
import type { ValidationItem } from '../../contract/validation.ts'
import { createBodyValidator } from './body-validator.ts'
import { applyMissingField, type FieldValidator, validateField } from './object.ts'
import { createQueryReader } from './query-string.ts'
import type { InputSchemas, RawRequestInput, ValidatedInput, ValidationResult } from './request-input.ts'
import { createFieldValidators } from './schema-validator.ts'
import { truncateInput } from './truncate-input.ts'
import { prependLocation } from './validator.ts'

type Read<Source> = (source: Source) => (string | string[] | undefined)[]
type Part<Source> = (source: Source, items: ValidationItem[]) => Record<string, unknown>

/**
 * Builds a route's judgement of requests, once. It answers as FastAPI does: path, query, headers, body, each in
 * declared order; malformed JSON is reported alone. `echo: false` keeps the request out of the answer.
 */
export function createRequestValidator<const S extends InputSchemas>(
  schemas: S,
  { echo = true }: { echo?: boolean } = {},
): (raw: RawRequestInput) => ValidationResult<ValidatedInput<S>> {
  const params = part('path', schemas.params, paramReader)
  const query = part('query', schemas.query, createQueryReader)
  const headers = part('header', schemas.headers, headerReader)
  const body = schemas.body && createBodyValidator(schemas.body, schemas.bodyOptional === true)
  return (raw) => {
    const items: ValidationItem[] = []
    const sent = body?.(raw.body ?? { kind: 'absent' })
    if (sent?.malformed) return { ok: false, detail: truncateInput([sent.malformed], echo) }
    const value = {
      params: params(raw.params ?? {}, items),
      query: query(raw.query ?? '', items),
      headers: headers(raw.headers ?? {}, items),
      body: sent?.value,
    }
    if (sent && sent.items.length > 0) items.push(...sent.items)
    return items.length > 0
      ? { ok: false, detail: truncateInput(items, echo) }
      : { ok: true, value: value as ValidatedInput<S> }
  }
}

/** One group of named strings. */
function part<Source>(
  place: string,
  schema: TObject | undefined,
  reader: (fields: readonly FieldValidator[]) => Read<Source>,
): Part<Source> {
  const fields = createFieldValidators(schema)
  const read = reader(fields)
  if (fields.length === 0) return () => ({})
  return (source, items) => {
    const kept: Record<string, unknown> = {}
    const start = items.length
    const values = read(source)
    for (let at = 0; at < fields.length; at += 1) {
      const value = values[at]
      if (value === undefined) applyMissingField(fields[at]!, kept, items, null)
      else validateField(fields[at]!, value, kept, items)
    }
    if (items.length > start) prependLocation(items, start, place)
    return kept
  }
}

function paramReader(fields: readonly FieldValidator[]): Read<Record<string, string>> {
  return (params) => fields.map(({ name }) => (Object.hasOwn(params, name) ? params[name] : undefined))
}

function headerReader(fields: readonly FieldValidator[]): Read<IncomingHttpHeaders> {
  const keys = fields.map(({ name }) => name.toLowerCase())
  return (headers) => keys.map((key) => (Object.hasOwn(headers, key) ? String(headers[key]) : undefined))
}
