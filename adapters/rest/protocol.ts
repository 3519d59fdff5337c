import { type TSchema, Type } from 'typebox'
import { UpstreamError } from '../../src/errors.ts'
import type { HttpClient, HttpRequest, ResponseSchema } from '../../src/ports/adapter.ts'
import type { Call } from '../../src/ports/call.ts'
import { redactedExcerpt } from '../../src/upstream/redacted-excerpt.ts'
import { responseSchema } from '../../src/upstream/response-schema.ts'
import type { RestSettings } from './adapter.ts'

/** A member that a system may leave out or answer as `null`. */
export const nullish = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]))

/** The rows of an answer, which are judged one by one. */
export const UnknownRows = Type.Array(Type.Unknown())

/** As a system may write it: at most 15 digits before the point and 10 after it. */
export const DecimalString = Type.String({ pattern: '^\\d{1,15}(\\.\\d{1,10})?$' })

/** A decimal that may be below 0. */
export const SignedDecimalString = Type.String({ pattern: '^-?\\d{1,15}(\\.\\d{1,10})?$' })

export const DateString = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' })

export const stringEnum = <const T extends string>(...values: T[]) => Type.Unsafe<T>(Type.Enum(values))

/** A page of rows. */
export const PageOfRows = responseSchema(
  Type.Object({ data: UnknownRows, total: nullish(Type.Integer({ minimum: 0 })), has_more: Type.Boolean() }),
)

/** The client with the token that every call of the protocol carries. */
export function createProtocolClient(client: HttpClient, { token }: RestSettings) {
  const signed = (exchange: HttpRequest): HttpRequest => ({
    ...exchange,
    headers: { authorization: `Bearer ${token}` },
  })
  return {
    json: <T>(shape: ResponseSchema<T>, exchange: HttpRequest, call: Call): Promise<T> =>
      client.json(shape, signed(exchange), call),
    jsonOrNull: <T>(shape: ResponseSchema<T>, exchange: HttpRequest, call: Call): Promise<T | null> =>
      client.jsonOrNull(shape, signed(exchange), call),
    bytes: (exchange: HttpRequest, call: Call) => client.bytes(signed(exchange), call),
  }
}

export type ProtocolClient = ReturnType<typeof createProtocolClient>

/** Text cut where it would only be a burden; `null` for nothing. */
export function truncateText(text: string | null | undefined, length: number): string | null {
  return text ? text.slice(0, length) : null
}

/** An address that a storefront may link to; `null` for anything else. */
export function toHttpUrl(text: string | null | undefined): string | null {
  return text && /^https?:\/\//.test(text) && URL.canParse(text) ? text : null
}

/** A moment as RFC 3339 in UTC. */
export function toUtcTimestamp(text: string): string {
  const ms = Date.parse(text)
  if (Number.isNaN(ms)) throw new UpstreamError('invalid', `not a moment: ${redactedExcerpt(text)}`)
  return new Date(ms).toISOString()
}

export const toUtcTimestampOrNull = (text: string | null | undefined) => (text ? toUtcTimestamp(text) : null)

/** Rows for the SKUs that were asked for, the first of doubled ones, in the order of the question. */
export function pickRowsBySku<T extends { sku: string }>(skus: readonly string[], rows: readonly T[]): T[] {
  const bySku = new Map<string, T>()
  for (const row of rows) if (!bySku.has(row.sku)) bySku.set(row.sku, row)
  return [...new Set(skus)].flatMap((sku) => bySku.get(sku) ?? [])
}
