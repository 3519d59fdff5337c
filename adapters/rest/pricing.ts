import { type Static, Type } from 'typebox'
import type { HttpClient, MerchantFacts } from '../../src/ports/adapter.ts'
import type { Price, PricingPort } from '../../src/ports/pricing.ts'
import { responseSchema } from '../../src/upstream/response-schema.ts'
import { createAmountFormatter, formatDecimal } from '../amount-format.ts'
import { parseRows } from '../parse-rows.ts'
import type { RestSettings } from './adapter.ts'
import { createChangeFeed, WATERMARK_OVERLAP_SECONDS } from './change-feed.ts'
import { createProtocolClient, DecimalString, pickRowsBySku, toUtcTimestamp, UnknownRows } from './protocol.ts'
import { connectQuote } from './quotes.ts'

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

const Prices = responseSchema(Type.Object({ data: UnknownRows }))
const Row = responseSchema(PriceRow)

export function connectPricing(settings: RestSettings, client: HttpClient, { currency }: MerchantFacts): PricingPort {
  const amount = createAmountFormatter(currency)
  const wire = createProtocolClient(client, settings)
  return {
    maxSkus: 200,
    watermarkOverlapSeconds: WATERMARK_OVERLAP_SECONDS,
    async prices(skus, customerId, call) {
      if (skus.length === 0) return []
      const body = { skus, customer_id: customerId }
      const { data } = await wire.json(Prices, { method: 'POST', path: '/prices', body }, call)
      return pickRowsBySku(
        skus,
        parseRows(data, Row, (row) => priceOf(row, amount)),
      )
    },
    ...connectQuote(wire, amount),
    priceChanges: createChangeFeed(wire, '/changes/prices', PriceChangeRow, ({ sku, updated_at }) => ({
      ...{ sku, updated_at: toUtcTimestamp(updated_at) },
    })),
  }
}

function priceOf(row: Static<typeof PriceRow>, amount: (value: string) => string): Price {
  const { sku, price_type, tax_included, uom } = row
  const rising = (row.breaks ?? []).toSorted((a, b) => Number(a.min_quantity) - Number(b.min_quantity))
  return {
    sku,
    amount: amount(row.amount),
    price_type,
    list_amount: amount(row.list_amount),
    tax_included,
    uom,
    breaks: rising.map((step) => ({ min_quantity: formatDecimal(step.min_quantity), amount: amount(step.amount) })),
    as_of: toUtcTimestamp(row.as_of),
  }
}
