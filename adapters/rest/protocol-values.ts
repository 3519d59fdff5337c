import { type TSchema, Type } from 'typebox'
import { UpstreamError } from '../../src/errors.ts'
import { toLogExcerpt } from '../../src/upstream/client/log-excerpt.ts'
import { responseSchema } from '../../src/upstream/client/response-schema.ts'

/** A member that a system may omit or send as `null`. */
export const nullish = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]))

/** Rows that are parsed one by one. */
export const UnknownRows = Type.Array(Type.Unknown())

/** A decimal of at most 15 digits before the point and 10 after it. */
export const DecimalString = Type.String({ pattern: '^\\d{1,15}(\\.\\d{1,10})?$' })

/** A decimal that may be negative. */
export const SignedDecimalString = Type.String({ pattern: '^-?\\d{1,15}(\\.\\d{1,10})?$' })

export const DateString = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' })

/** An id that a later request can name in its path. */
export const IdString = Type.String({ minLength: 1, maxLength: 128, pattern: '^(?!\\.{1,2}$)' })

export const stringEnum = <const T extends string>(...values: T[]) => Type.Unsafe<T>(Type.Enum(values))

/** A page of rows that are parsed one by one. */
export const PageOfRows = responseSchema(
  Type.Object({ data: UnknownRows, total: nullish(Type.Integer({ minimum: 0 })), has_more: Type.Boolean() }),
)

/** Truncates text; returns `null` for an empty one. */
export function truncateText(text: string | null | undefined, length: number): string | null {
  return text ? text.slice(0, length) : null
}

/** The parser percent-encodes quotes and angle brackets everywhere but in the host. */
const LINKED_HOST = /^[\w.:[\]-]+$/

/** Returns an HTTP(S) URL that a storefront may link to, normalized; `null` for anything else. */
export function toHttpUrl(text: string | null | undefined): string | null {
  const url = text && /^https?:\/\//.test(text) ? URL.parse(text) : null
  const isLinkable = url && LINKED_HOST.test(url.host) && url.username === '' && url.password === ''
  return isLinkable ? url.href : null
}

/** Returns a timestamp as RFC 3339 in UTC. */
export function toUtcTimestamp(text: string): string {
  const ms = Date.parse(text)
  if (Number.isNaN(ms)) throw new UpstreamError('invalid', `invalid timestamp: ${toLogExcerpt(text)}`)
  return new Date(ms).toISOString()
}

export const toUtcTimestampOrNull = (text: string | null | undefined) => (text ? toUtcTimestamp(text) : null)
