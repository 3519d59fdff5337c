import { Decimal } from 'decimal.js'
import Type, { type Static, type TSchema } from 'typebox'

export const Nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])
export const Timestamp = Type.String({ format: 'date-time', description: 'RFC 3339, UTC' })
export const Day = Type.String({ format: 'date' })
export const DecimalString = Type.String({
  pattern: '^-?\\d+(\\.\\d{1,6})?$',
  description: 'A decimal number as text, so that no cent is lost',
})

export const Money = Type.Object(
  { amount: DecimalString, currency: Type.String({ description: 'ISO 4217' }) },
  { $id: 'Money', description: 'At least the digits of its currency; up to six for a unit price' },
)
export type Money = Static<typeof Money>

export const SectionErrorEntry = Type.Object(
  {
    field: Type.String({ description: 'The section of the body that is missing or old' }),
    code: Type.Enum([
      'downstream_timeout',
      'downstream_unavailable',
      'downstream_error',
      'downstream_rate_limited',
      'circuit_open',
      'invalid_downstream_response',
      'overloaded',
      'not_configured',
      'partial_result',
    ]),
    detail: Type.String(),
    stale: Type.Optional(Type.Boolean({ description: 'The section is filled from its last good value' })),
    as_of: Type.Optional(Timestamp),
    retry_after_ms: Type.Optional(Type.Integer({ minimum: 0 })),
  },
  { $id: 'SectionError' },
)

export const SectionErrors = Type.Array(SectionErrorEntry, {
  description: 'One entry for each section that is missing or old; empty when all is fresh',
})

export const Pagination = Type.Object(
  {
    limit: Type.Integer(),
    offset: Type.Integer(),
    count: Type.Integer({ description: 'Rows on this page' }),
    total: Nullable(Type.Integer({ description: 'Rows in all; null when the back office cannot say' })),
    has_more: Type.Boolean(),
    next_offset: Nullable(Type.Integer()),
  },
  { $id: 'Pagination' },
)

export const ProblemBody = Type.Object(
  {
    type: Type.Literal('about:blank'),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    code: Type.String(),
    request_id: Type.String(),
  },
  { $id: 'Problem', description: 'RFC 9457' },
)

/** The pagination block of a page of `count` rows. */
export function toPagination(
  page: { limit: number; offset: number },
  count: number,
  total: number | null,
  hasMore: boolean,
) {
  return {
    limit: page.limit,
    offset: page.offset,
    count,
    total,
    has_more: hasMore,
    next_offset: hasMore ? page.offset + page.limit : null,
  }
}

const digits = new Map<string, number>()

/** The decimals that a currency is counted in: 2 for JMD, 0 for JPY. */
export function currencyDigits(currency: string): number {
  const known = digits.get(currency)
  if (known !== undefined) return known
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
  digits.set(currency, maximumFractionDigits)
  return maximumFractionDigits
}

/** An amount as it is shown: with at least its currency's digits, and all that it has beyond. */
export function toMoney(amount: string, currency: string): Money {
  const value = new Decimal(amount)
  return { amount: value.toFixed(Math.max(currencyDigits(currency), value.decimalPlaces())), currency }
}
