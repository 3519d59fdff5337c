import { expect } from 'chai'
import { Decimal } from 'decimal.js'
import type { DeliveryOption, DeliveryOptionsQuery } from '../../../../src/ports/delivery.ts'
import type { OrderDraft } from '../../../../src/ports/order.ts'
import { createCall } from '../../../support/create-call.ts'
import { expectDecimal } from '../expect-decimal.ts'
import { createOrderFixture, ORDER_NEEDS } from '../order-fixture.ts'
import { requirementsOf } from '../requirement.ts'
import type { TestBench } from '../test-bench.ts'

const NEEDS = [...ORDER_NEEDS, 'deliveryAddress'] as const

export const deliveryOptionRequirements = requirementsOf(
  'accounting.deliveryOptions',
  [
    'names each option once, with a price, the same each time',
    NEEDS,
    async (bench) => {
      await using shop = createOrderFixture(bench)
      const { options, query } = await readOptions(bench, shop.draft())
      const ids = options.map(({ delivery_option_id }) => delivery_option_id)
      expect(ids).to.deep.equal([...new Set(ids)])
      expect(options.filter(({ price }) => Number(price) > 0)).to.not.deep.equal([])
      for (const { price, tax, pickup_places } of options) {
        for (const decimal of [price, tax.rate]) expectDecimal(decimal, /^\d+(\.\d+)?$/)
        const places = pickup_places.map(({ pickup_place_id }) => pickup_place_id)
        expect(places).to.deep.equal([...new Set(places)])
      }
      expect(await bench.accounting.deliveryOptions(query, createCall())).to.deep.equal(options)
    },
  ],
  [
    'places an order with each of its options once, at its price, and returns the delivery later',
    NEEDS,
    async (bench) => {
      await using shop = createOrderFixture(bench)
      const { customerId } = bench.facts.customer
      const { options } = await readOptions(bench, shop.draft())
      for (const option of options) {
        const draft = withDelivery(atAddress(bench, shop.draft()), option)
        const order = await shop.placed(draft)
        expect(order.delivery).to.deep.equal(draft.delivery)
        expect(order.totals).to.deep.include({
          shipping_total: draft.totals.shipping_total,
          tax_total: draft.totals.tax_total,
          total: draft.totals.total,
        })
        const again = await shop.placed(draft)
        expect(again).to.deep.equal(order)
        const read = await bench.accounting.order(customerId, { reference: draft.reference }, createCall())
        expect(read).to.deep.equal(order)
      }
    },
  ],
  [
    'refuses an order with another price of the delivery, or with an unknown delivery',
    NEEDS,
    async (bench) => {
      await using shop = createOrderFixture(bench)
      const { options } = await readOptions(bench, shop.draft())
      const paid = options.find(({ price }) => Number(price) > 0)!
      const cheaper = { ...paid, price: new Decimal(paid.price).minus('0.01').toFixed(2) }
      const unknown = { ...paid, delivery_option_id: 'no/such delivery' }
      for (const option of [cheaper, unknown]) {
        const draft = withDelivery(atAddress(bench, shop.draft()), option)
        expect(await shop.place(draft)).to.deep.include({ state: 'refused', reason: 'TOTALS_DISAGREE' })
        const { customerId } = bench.facts.customer
        const order = await bench.accounting.order(customerId, { reference: draft.reference }, createCall())
        expect(order?.status ?? 'REJECTED').to.be.oneOf(['REJECTED', 'CANCELLED'])
      }
    },
  ],
)

const atAddress = ({ facts }: TestBench, draft: OrderDraft): OrderDraft => ({
  ...draft,
  shipping_address: facts.deliveryAddress,
})

/** Reads the options for a draft. */
async function readOptions({ accounting, facts }: TestBench, { customer_id, lines, totals }: OrderDraft) {
  const query: DeliveryOptionsQuery = {
    customerId: customer_id,
    lines: lines.map(({ sku, quantity }) => ({ sku, quantity })),
    goods_total: totals.total,
    tax_included: totals.tax_included,
    shipping_address: facts.deliveryAddress,
  }
  return { query, options: await accounting.deliveryOptions(query, createCall()) }
}

/** Adds an option and its price to a draft whose goods have the same tax. */
function withDelivery(draft: OrderDraft, option: DeliveryOption): OrderDraft {
  const { totals } = draft
  const { delivery_option_id, name, fulfillment_method, price, tax } = option
  const cents = (value: Decimal) => value.toDecimalPlaces(2, Decimal.ROUND_HALF_UP)
  const gross = cents(new Decimal(price))
  const rate = new Decimal(tax.rate)
  const ofRate = totals.tax_included ? gross.minus(cents(gross.div(rate.plus(1)))) : cents(gross.times(rate))
  const amount = tax.amount === undefined ? ofRate : new Decimal(tax.amount)
  const plus = (text: string, ...more: Decimal[]) => more.reduce((sum, one) => sum.plus(one), new Decimal(text))
  const tax_total = plus(totals.tax_total, amount).toFixed(2)
  const total = plus(totals.total, gross, totals.tax_included ? new Decimal(0) : amount).toFixed(2)
  const base = new Decimal(total).minus(tax_total).toFixed(2)
  return {
    ...draft,
    fulfillment_method,
    delivery: { delivery_option_id, name, pickup_place: option.pickup_places[0] ?? null },
    totals: {
      ...totals,
      tax_total,
      total,
      shipping_total: gross.toFixed(2),
      taxes: totals.taxes.map((one) => ({ ...one, base, amount: tax_total })),
    },
  }
}
