import type { IncomingHttpHeaders } from 'node:http'
import type { TObject } from 'typebox'
import type { ValidationItem } from '../../contract/validation.ts'
import { bodyJudge } from './body-validator.ts'
import { echoed } from './truncate-input.ts'
import { fieldsOf } from './schema-validator.ts'
import { locate } from './validator.ts'
import { absent, type Field, present } from './object.ts'
import { queryReader } from './query-string.ts'
import type { InputOf, InputSchemas, Judged, RawInput } from './request-input.ts'

type Read<Source> = (source: Source) => (string | string[] | undefined)[]
type Part<Source> = (source: Source, items: ValidationItem[]) => Record<string, unknown>

/**
 * Builds a route's judgement of requests, once. It answers as FastAPI does: path, query, headers, body, each in
 * declared order; malformed JSON is reported alone. `echo: false` keeps the request out of the answer.
 */
export function compileInput<const S extends InputSchemas>(
  schemas: S,
  { echo = true }: { echo?: boolean } = {},
): (raw: RawInput) => Judged<InputOf<S>> {
  const params = part('path', schemas.params, paramReader)
  const query = part('query', schemas.query, queryReader)
  const headers = part('header', schemas.headers, headerReader)
  const body = schemas.body && bodyJudge(schemas.body, schemas.bodyOptional === true)
  return (raw) => {
    const items: ValidationItem[] = []
    const sent = body?.(raw.body ?? { kind: 'absent' })
    if (sent?.malformed) return { ok: false, detail: echoed([sent.malformed], echo) }
    const value = {
      params: params(raw.params ?? {}, items),
      query: query(raw.query ?? '', items),
      headers: headers(raw.headers ?? {}, items),
      body: sent?.value,
    }
    if (sent && sent.items.length > 0) items.push(...sent.items)
    return items.length > 0 ? { ok: false, detail: echoed(items, echo) } : { ok: true, value: value as InputOf<S> }
  }
}

/** One group of named strings. */
function part<Source>(
  place: string,
  schema: TObject | undefined,
  reader: (fields: readonly Field[]) => Read<Source>,
): Part<Source> {
  const fields = fieldsOf(schema)
  const read = reader(fields)
  if (fields.length === 0) return () => ({})
  return (source, items) => {
    const kept: Record<string, unknown> = {}
    const start = items.length
    const values = read(source)
    for (let at = 0; at < fields.length; at += 1) {
      const value = values[at]
      if (value === undefined) absent(fields[at]!, kept, items, null)
      else present(fields[at]!, value, kept, items)
    }
    if (items.length > start) locate(items, start, place)
    return kept
  }
}

function paramReader(fields: readonly Field[]): Read<Record<string, string>> {
  return (params) => fields.map(({ name }) => (Object.hasOwn(params, name) ? params[name] : undefined))
}

function headerReader(fields: readonly Field[]): Read<IncomingHttpHeaders> {
  const keys = fields.map(({ name }) => name.toLowerCase())
  return (headers) => keys.map((key) => (Object.hasOwn(headers, key) ? String(headers[key]) : undefined))
}
