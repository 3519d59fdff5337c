import type { IncomingHttpHeaders } from 'node:http'
import type { TObject } from 'typebox'
import type { ValidationItem } from '../../contract/validation-error.ts'
import { createBodyValidator } from './body-validator.ts'
import { applyMissingField, type FieldValidator, validateField } from './object.ts'
import { createQueryReader } from './query-string.ts'
import type { InputSchemas, RawRequestInput, ValidatedInput, ValidationResult } from './request-input.ts'
import { createFieldValidators } from './schema-validator.ts'
import { truncateInput } from './truncate-input.ts'
import { prependLocation } from './validation-items.ts'

type ReadValues<Source> = (source: Source) => (string | string[] | undefined)[]
type ValidatePart<Source> = (source: Source, items: ValidationItem[]) => Record<string, unknown>

/**
 * Creates the validator of a route. It reports errors as FastAPI does: path, query, headers and body, each in declared order;
 * malformed JSON alone. `echo: false` leaves the input out of the errors.
 */
export function createRequestValidator<const S extends InputSchemas>(
  schemas: S,
  { echo = true }: { echo?: boolean } = {},
): (raw: RawRequestInput) => ValidationResult<ValidatedInput<S>> {
  const params = createPartValidator('path', schemas.params, createParamReader)
  const query = createPartValidator('query', schemas.query, createQueryReader)
  const headers = createPartValidator('header', schemas.headers, createHeaderReader)
  const body = schemas.body && createBodyValidator(schemas.body, schemas.bodyOptional === true)
  return (raw) => {
    const items: ValidationItem[] = []
    const parsedBody = body?.(raw.body ?? { kind: 'absent' })
    if (parsedBody?.malformed) return { ok: false, detail: truncateInput([parsedBody.malformed], echo) }
    const value = {
      params: params(raw.params ?? {}, items),
      query: query(raw.query ?? '', items),
      headers: headers(raw.headers ?? {}, items),
      body: parsedBody?.value,
    }
    if (parsedBody) items.push(...parsedBody.items)
    const hint = parsedBody?.hint ? { hint: parsedBody.hint } : undefined
    return items.length > 0
      ? { ok: false, detail: truncateInput(items, echo), ...hint }
      : { ok: true, value: value as ValidatedInput<S>, ...hint }
  }
}

/** Creates the validator of the path, the query or the headers. */
function createPartValidator<Source>(
  location: string,
  schema: TObject | undefined,
  createReader: (fields: readonly FieldValidator[]) => ReadValues<Source>,
): ValidatePart<Source> {
  const fields = createFieldValidators(schema)
  const read = createReader(fields)
  if (fields.length === 0) return () => ({})
  return (source, items) => {
    const output: Record<string, unknown> = {}
    const start = items.length
    const values = read(source)
    for (let at = 0; at < fields.length; at += 1) {
      const value = values[at]
      if (value === undefined) applyMissingField(fields[at]!, output, items, null)
      else validateField(fields[at]!, value, output, items)
    }
    if (items.length > start) prependLocation(items, start, location)
    return output
  }
}

function createParamReader(fields: readonly FieldValidator[]): ReadValues<Record<string, string>> {
  return (params) => fields.map(({ name }) => (Object.hasOwn(params, name) ? params[name] : undefined))
}

function createHeaderReader(fields: readonly FieldValidator[]): ReadValues<IncomingHttpHeaders> {
  const keys = fields.map(({ name }) => name.toLowerCase())
  return (headers) => keys.map((key) => (Object.hasOwn(headers, key) ? String(headers[key]) : undefined))
}
