import type { IncomingHttpHeaders } from 'node:http'
import type { Static, TObject, TSchema } from 'typebox'
import type { ValidationItem } from '../../contract/validation-error.ts'
import type { UnparsedBody } from '../body/read-body.ts'

/** The schemas of a route's request. Errors spell a header as its schema does. */
export interface InputSchemas {
  params?: TObject
  query?: TObject
  headers?: TObject
  body?: TSchema
  /** The body is optional; without one, the value's `body` is undefined. */
  bodyOptional?: boolean
}

/** A request before validation; `query` has no leading `?`, and `params` are already percent-decoded. */
export interface RawRequestInput {
  params?: Record<string, string>
  query?: string
  headers?: IncomingHttpHeaders
  body?: UnparsedBody
}

/** `hint`: a text about a member of the body that was ignored. */
export type ValidationResult<V> = ({ ok: true; value: V } | { ok: false; detail: ValidationItem[] }) & { hint?: string }

type Part<S> = S extends TSchema ? Static<S> : Record<string, never>
type Body<S extends InputSchemas> = S['body'] extends TSchema
  ? Static<S['body']> | (S['bodyOptional'] extends true ? undefined : never)
  : undefined

/** A valid request: declared members alone, converted, with defaults. */
export interface ValidatedInput<S extends InputSchemas> {
  params: Part<S['params']>
  query: Part<S['query']>
  headers: Part<S['headers']>
  body: Body<S>
}
