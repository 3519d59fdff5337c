import { type Static, Type } from 'typebox'
import { UpstreamError } from '../../src/errors.ts'
import type { PricingPort, Quote, QuotedLine, QuotedPromotion } from '../../src/ports/pricing.ts'
import { responseSchema } from '../../src/upstream/client/response-schema.ts'
import { parseRows } from '../parse-rows.ts'
import { cutToRequested } from './parse-requested-rows.ts'
import type { ProtocolClient } from './protocol-client.ts'
import { DecimalString, nullish, stringEnum, toUtcTimestamp, truncateText, UnknownRows } from './protocol-values.ts'

const QuotedLineRow = Type.Object({
  line_id: Type.String(),
  sku: Type.String(),
  unit_price: DecimalString,
  list_unit_price: DecimalString,
  price_type: stringEnum('LIST', 'CONTRACT'),
  tax_included: Type.Boolean(),
  discount: Type.Optional(DecimalString),
})
const LineShape = responseSchema(QuotedLineRow)

const PromotionRow = Type.Object({
  code: Type.String(),
  status: stringEnum('APPLIED', 'NOT_APPLICABLE'),
  reason: nullish(
    stringEnum(
      'UNKNOWN_CODE',
      'EXPIRED',
      'NOT_STARTED',
      'LIMIT_REACHED',
      'CUSTOMER_NOT_ELIGIBLE',
      'MINIMUM_NOT_MET',
      'NO_ELIGIBLE_LINES',
      'NOT_COMBINABLE',
    ),
  ),
  description: nullish(Type.String()),
  discount: Type.Optional(DecimalString),
})

const QuoteShape = responseSchema(
  Type.Object({ lines: UnknownRows, promotions: Type.Optional(Type.Array(PromotionRow)), as_of: Type.String() }),
)

export function connectQuote(
  { json }: ProtocolClient,
  formatAmount: (value: string) => string,
): Required<Pick<PricingPort, 'quote'>> {
  return {
    async quote({ customerId, lines, codes }, call): Promise<Quote> {
      const body = { customer_id: customerId, lines, codes }
      const rows = lines.length + codes.length
      const response = await json(QuoteShape, { method: 'POST', path: '/quotes', body, rows }, call)
      const { promotions = [] } = response
      if (promotions.length !== codes.length)
        throw new UpstreamError('invalid', `${promotions.length} promotions for ${codes.length} codes`)
      const lineIds = lines.map(({ line_id }) => line_id)
      const requested = cutToRequested(response.lines, 'line_id', lineIds)
      const quotedLines = parseRows(requested, LineShape, (row) => toQuotedLine(row, formatAmount))
      const rowByLine = new Map(quotedLines.map((row) => [`${row.line_id}\n${row.sku}`, row]))
      return {
        lines: lines.flatMap(({ line_id, sku }) => rowByLine.get(`${line_id}\n${sku}`) ?? []),
        promotions: promotions.map((row) => toQuotedPromotion(row, formatAmount)),
        as_of: toUtcTimestamp(response.as_of),
      }
    },
  }
}

function toQuotedLine(row: Static<typeof QuotedLineRow>, formatAmount: (value: string) => string): QuotedLine {
  const { line_id, sku, price_type, tax_included, discount = '0' } = row
  return {
    line_id,
    sku,
    unit_price: formatAmount(row.unit_price),
    list_unit_price: formatAmount(row.list_unit_price),
    price_type,
    tax_included,
    discount: formatAmount(discount),
  }
}

function toQuotedPromotion(row: Static<typeof PromotionRow>, formatAmount: (value: string) => string): QuotedPromotion {
  const { status, reason = null, discount = '0' } = row
  const code = row.code.slice(0, 128)
  const description = truncateText(row.description, 500)
  if (status === 'APPLIED') return { code, status, reason: null, description, discount: formatAmount(discount) }
  return { code, status, reason: reason ?? 'UNKNOWN_CODE', description, discount: formatAmount('0') }
}
