import { type Static, Type } from 'typebox'
import type { MerchantFacts } from '../../src/ports/adapter.ts'
import type { Price, PricingPort } from '../../src/ports/pricing.ts'
import { responseSchema } from '../../src/upstream/client/response-schema.ts'
import { createAmountFormatter, formatDecimal } from '../decimal-format.ts'
import { connectQuote } from './cart-quotes.ts'
import { createChangeFeed, WATERMARK_OVERLAP_SECONDS } from './change-feed.ts'
import { parseRowsBySku } from './parse-requested-rows.ts'
import type { ProtocolClient } from './protocol-client.ts'
import { DecimalString, toUtcTimestamp, UnknownRows } from './protocol-values.ts'

export const PriceRow = Type.Object({
  sku: Type.String(),
  amount: DecimalString,
  price_type: Type.Union([Type.Literal('LIST'), Type.Literal('CONTRACT')]),
  list_amount: DecimalString,
  tax_included: Type.Boolean(),
  uom: Type.String(),
  breaks: Type.Optional(Type.Array(Type.Object({ min_quantity: DecimalString, amount: DecimalString }))),
  as_of: Type.String(),
})

const PriceChangeRow = Type.Object({ sku: Type.String({ minLength: 1 }), updated_at: Type.String() })

const PricesShape = responseSchema(Type.Object({ data: UnknownRows }))
const PriceShape = responseSchema(PriceRow)

export function connectPricing(protocol: ProtocolClient, { currency }: MerchantFacts): PricingPort {
  const formatAmount = createAmountFormatter(currency)
  return {
    maxSkus: 200,
    watermarkOverlapSeconds: WATERMARK_OVERLAP_SECONDS,
    async prices(skus, customerId, call) {
      if (skus.length === 0) return []
      const body = { skus, customer_id: customerId }
      const { data } = await protocol.json(
        PricesShape,
        { method: 'POST', path: '/prices', body, rows: skus.length },
        call,
      )
      return parseRowsBySku(skus, data, PriceShape, (row) => toPrice(row, formatAmount))
    },
    ...connectQuote(protocol, formatAmount),
    priceChanges: createChangeFeed(protocol, '/changes/prices', PriceChangeRow, ({ sku, updated_at }) => ({
      sku,
      updated_at: toUtcTimestamp(updated_at),
    })),
  }
}

function toPrice(row: Static<typeof PriceRow>, formatAmount: (value: string) => string): Price {
  const { sku, price_type, tax_included, uom } = row
  const sortedBreaks = (row.breaks ?? []).toSorted((a, b) => Number(a.min_quantity) - Number(b.min_quantity))
  return {
    sku,
    amount: formatAmount(row.amount),
    price_type,
    list_amount: formatAmount(row.list_amount),
    tax_included,
    uom,
    breaks: sortedBreaks.map((priceBreak) => ({
      min_quantity: formatDecimal(priceBreak.min_quantity),
      amount: formatAmount(priceBreak.amount),
    })),
    as_of: toUtcTimestamp(row.as_of),
  }
}
