import { type Static, Type } from 'typebox'
import type { Client } from '../../src/ports/adapter.ts'
import type { Price, PricingPort } from '../../src/ports/pricing.ts'
import { shape } from '../../src/upstream/shape.ts'
import type { RestSettings } from './adapter.ts'
import { asked, Decimal, moment, withToken } from './wire.ts'

const Row = Type.Object({
  sku: Type.String(),
  amount: Decimal,
  price_type: Type.Union([Type.Literal('LIST'), Type.Literal('CONTRACT')]),
  list_amount: Decimal,
  tax_included: Type.Boolean(),
  uom: Type.String(),
  breaks: Type.Optional(Type.Array(Type.Object({ min_quantity: Decimal, amount: Decimal }))),
  as_of: Type.String(),
})

const Prices = shape(Type.Object({ data: Type.Array(Row) }))

export function connectPricing(settings: RestSettings, client: Client): PricingPort {
  const { json } = withToken(client, settings)
  return {
    maxSkus: 200,
    async prices(skus, customerId, call) {
      if (skus.length === 0) return []
      const body = { skus, customer_id: customerId }
      const { data } = await json(Prices, { method: 'POST', path: '/prices', body }, call)
      return asked(skus, data).map(priceOf)
    },
  }
}

function priceOf({
  sku,
  amount,
  price_type,
  list_amount,
  tax_included,
  uom,
  breaks,
  as_of,
}: Static<typeof Row>): Price {
  const rising = (breaks ?? []).toSorted((a, b) => Number(a.min_quantity) - Number(b.min_quantity))
  return {
    ...{ sku, amount, price_type, list_amount, tax_included, uom },
    breaks: rising.map((step) => ({ min_quantity: step.min_quantity, amount: step.amount })),
    as_of: moment(as_of),
  }
}
