import type { IncomingHttpHeaders } from 'node:http'
import type { Static, TObject, TSchema } from 'typebox'
import type { ValidationItem } from '../../contract/validation.ts'

/** What a route declares about its request. A header's name is spelled as errors shall spell it. */
export interface InputSchemas {
  params?: TObject
  query?: TObject
  headers?: TObject
  body?: TSchema
  /** The body may be left out; the value's `body` is then undefined. */
  bodyOptional?: boolean
}

/** A body as it came, in text. An undecodable JSON body is the empty text. */
export type RawBody = { kind: 'absent' } | { kind: 'json'; text: string } | { kind: 'other'; text: string }

/** A request before it is judged; `query` has no leading `?`, and `params` are already percent-decoded. */
export interface RawRequestInput {
  params?: Record<string, string>
  query?: string
  headers?: IncomingHttpHeaders
  body?: RawBody
}

export type ValidationResult<V> = { ok: true; value: V } | { ok: false; detail: ValidationItem[] }

type Part<S> = S extends TSchema ? Static<S> : Record<string, never>
type Body<S extends InputSchemas> = S['body'] extends TSchema
  ? Static<S['body']> | (S['bodyOptional'] extends true ? undefined : never)
  : undefined

/** What a handler may rely on: declared members alone, converted, with defaults filled in. */
export interface ValidatedInput<S extends InputSchemas> {
  params: Part<S['params']>
  query: Part<S['query']>
  headers: Part<S['headers']>
  body: Body<S>
}
