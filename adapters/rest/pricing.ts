import { type Static, Type } from 'typebox'
import type { Client, MerchantFacts } from '../../src/ports/adapter.ts'
import type { Price, PricingPort } from '../../src/ports/pricing.ts'
import { shape } from '../../src/upstream/response-schema.ts'
import { amountsIn, plain } from '../amount-format.ts'
import { readable } from '../parse-rows.ts'
import type { RestSettings } from './adapter.ts'
import { feed, OVERLAP_SECONDS } from './change-feed.ts'
import { quoting } from './quotes.ts'
import { asked, Decimal, moment, Rows, withToken } from './protocol.ts'

export const PriceRow = Type.Object({
  sku: Type.String(),
  amount: Decimal,
  price_type: Type.Union([Type.Literal('LIST'), Type.Literal('CONTRACT')]),
  list_amount: Decimal,
  tax_included: Type.Boolean(),
  uom: Type.String(),
  breaks: Type.Optional(Type.Array(Type.Object({ min_quantity: Decimal, amount: Decimal }))),
  as_of: Type.String(),
})

const PriceChangeRow = Type.Object({ sku: Type.String({ minLength: 1 }), updated_at: Type.String() })

const Prices = shape(Type.Object({ data: Rows }))
const Row = shape(PriceRow)

export function connectPricing(settings: RestSettings, client: Client, { currency }: MerchantFacts): PricingPort {
  const amount = amountsIn(currency)
  const wire = withToken(client, settings)
  return {
    maxSkus: 200,
    watermarkOverlapSeconds: OVERLAP_SECONDS,
    async prices(skus, customerId, call) {
      if (skus.length === 0) return []
      const body = { skus, customer_id: customerId }
      const { data } = await wire.json(Prices, { method: 'POST', path: '/prices', body }, call)
      return asked(
        skus,
        readable(data, Row, (row) => priceOf(row, amount)),
      )
    },
    ...quoting(wire, amount),
    priceChanges: feed(wire, '/changes/prices', PriceChangeRow, ({ sku, updated_at }) => ({
      ...{ sku, updated_at: moment(updated_at) },
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
    breaks: rising.map((step) => ({ min_quantity: plain(step.min_quantity), amount: amount(step.amount) })),
    as_of: moment(row.as_of),
  }
}
