import { expect } from 'chai'
import { createCall } from '../../../support/create-call.ts'
import { failureOf } from '../../../support/failure-of.ts'
import { createOrderFixture, ORDER_NEEDS } from '../order-fixture.ts'
import { requirementsOf } from '../requirement.ts'
import { UTC_TIMESTAMP } from './items.ts'

/** The members of an order that are not part of its draft. */
const ORDER_ONLY_KEYS = [
  'order_id',
  'order_number',
  'status',
  'payment_status',
  'placed_at',
  'updated_at',
  'shipments',
  'invoiced',
  'cancelled_at',
  'cancel_reason',
  'history',
]

export const placeOrderRequirements = requirementsOf(
  'accounting.placeOrder',
  [
    'stores the complete order, and returns it later',
    ORDER_NEEDS,
    async (bench) => {
      await using shop = createOrderFixture(bench)
      const { accounting, facts } = bench
      const { customerId } = facts.customer
      const address = {
        line1: '9 Ocean Boulevard',
        line2: 'Suite 4',
        city: 'Kingston',
        region: 'Kingston',
        postal_code: 'JMAAW01',
        country: 'JM',
      }
      const draft = shop.draft(
        {
          billing_address: address,
          po_number: 'PO 7/ä',
          notes: 'Ring twice.\nThen wait.',
          requested_date: '2031-02-03',
          contact: { name: 'Ana Ñ', phone: '+1 876 555 0100', email: 'ana@shopper.example' },
        },
        { quantity: ['2', '1'] },
      )
      draft.lines[0] = { ...draft.lines[0]!, order_uom: 'pair', order_quantity: '1', list_unit_price: '9999.00' }
      const order = await shop.placed(draft)
      const { channel: _, ...given } = draft
      expect(order).to.have.all.keys(...Object.keys(given), ...ORDER_ONLY_KEYS)
      expect(order).to.deep.include(given)
      expect(order).to.include({ status: 'CONFIRMED', payment_status: 'NOT_REQUIRED', invoiced: false })
      expect(order).to.deep.include({ shipments: [], cancelled_at: null, cancel_reason: null })
      for (const moment of [order.placed_at, order.updated_at, ...order.history.map(({ at }) => at)])
        expect(moment).to.match(UTC_TIMESTAMP)
      for (const key of [{ reference: draft.reference }, { order_id: order.order_id }])
        expect(await accounting.order(customerId, key, createCall())).to.deep.equal(order)
      expect((await shop.all()).find(({ reference }) => reference === draft.reference)).to.deep.equal(order)
    },
  ],
  [
    'accepts a pickup order without any optional member',
    ORDER_NEEDS,
    async (bench) => {
      await using shop = createOrderFixture(bench)
      const bare = { contact: null, po_number: null, shipping_address: null, fulfillment_method: 'PICKUP' } as const
      const draft = shop.draft(bare)
      const { channel: _, ...given } = draft
      expect(await shop.placed(draft)).to.deep.include(given)
    },
  ],
  [
    'refuses totals that are off by a cent, even when they are corrected later',
    ORDER_NEEDS,
    async (bench) => {
      await using shop = createOrderFixture(bench)
      const right = shop.draft()
      const { totals } = right
      const more = (Number(totals.total) + 0.01).toFixed(2)
      const refused = { state: 'refused', reason: 'TOTALS_DISAGREE', skus: [], available_credit: null }
      expect(await shop.place({ ...right, totals: { ...totals, total: more } })).to.deep.equal(refused)
      expect(await shop.place(right)).to.deep.equal(refused)
      expect(await bench.accounting.order(right.customer_id, { reference: right.reference }, createCall())).to.equal(
        null,
      )
      const taxed = shop.draft({ totals: { ...totals, tax_total: '0.00' } })
      expect(await shop.place(taxed)).to.deep.equal(refused)
    },
  ],
  [
    'refuses unknown goods by their SKU',
    ORDER_NEEDS,
    async (bench) => {
      await using shop = createOrderFixture(bench)
      const { goods, unknownSku } = bench.facts
      const answer = await shop.place(shop.draft({}, { goods: { ...goods, sku: unknownSku } }))
      expect(answer).to.deep.include({ state: 'refused', reason: 'LINE_UNAVAILABLE', skus: [unknownSku] })
    },
  ],
  [
    'refuses credit terms without a credit account',
    [...ORDER_NEEDS, 'cashCustomerId'],
    async (bench) => {
      await using shop = createOrderFixture(bench)
      const answer = await shop.place(shop.draft({}, { customerId: bench.facts.cashCustomerId }))
      expect(answer).to.include({ state: 'refused', reason: 'PAYMENT_METHOD_NOT_ALLOWED' })
    },
  ],
  [
    'accepts the payment methods of the customer, and no others',
    [...ORDER_NEEDS, 'accounting.customer'],
    async (bench) => {
      await using shop = createOrderFixture(bench)
      const { accounting, facts } = bench
      const { payment_methods } = (await accounting.customer(facts.customer.customerId, createCall()))!
      for (const payment_method of ['CREDIT_TERMS', 'CASH_ON_DELIVERY'] as const) {
        const draft = shop.draft({ payment_method })
        const result = await shop.place(draft)
        if (payment_methods.includes(payment_method))
          expect(result).to.have.nested.include({ state: 'placed', 'order.payment_method': payment_method })
        else expect(result).to.include({ state: 'refused', reason: 'PAYMENT_METHOD_NOT_ALLOWED' })
      }
    },
  ],
  [
    'refuses a customer on hold',
    [...ORDER_NEEDS, 'onHoldCustomerId'],
    async (bench) => {
      await using shop = createOrderFixture(bench)
      const answer = await shop.place(shop.draft({}, { customerId: bench.facts.onHoldCustomerId }))
      expect(answer).to.include({ state: 'refused', reason: 'ACCOUNT_ON_HOLD' })
    },
  ],
  [
    'rejects an order of an unknown customer',
    ORDER_NEEDS,
    async (bench) => {
      await using shop = createOrderFixture(bench)
      const { unknownCustomerId } = bench.facts
      const draft = shop.draft({ customer_id: unknownCustomerId })
      expect((await failureOf(bench.accounting.placeOrder(draft, createCall()))).failure).to.equal('rejected')
    },
  ],
  [
    'reduces the credit by the total of the order',
    ORDER_NEEDS,
    async (bench) => {
      await using shop = createOrderFixture(bench)
      const before = await shop.available()
      const order = await shop.placed(shop.draft())
      const after = before - Number(order.totals.total)
      expect(await shop.availableAfterDelay(after)).to.be.closeTo(after, 0.001)
    },
  ],
  [
    'never lets parallel orders exceed the credit limit, and returns the available credit; with creditReservation, counts all of them',
    ORDER_NEEDS,
    async (bench) => {
      await using shop = createOrderFixture(bench)
      const left = await shop.available()
      const { totals } = shop.draft()
      const third = String(Math.floor(left / 3 / Number(totals.total)))
      const drafts = Array.from({ length: 8 }, () => shop.draft({}, { quantity: third }))
      const answers = await Promise.all(drafts.map((each) => shop.place(each)))
      const placed = answers.filter(({ state }) => state === 'placed')
      if (bench.accounting.creditReservation) {
        const after = left - placed.length * Number(drafts[0]!.totals.total)
        expect(await shop.availableAfterDelay(after)).to.be.closeTo(after, 0.001)
        return
      }
      expect(placed).to.have.lengthOf(3)
      const now = await shop.available()
      expect(now).to.be.at.least(0)
      for (const [i, answer] of answers.entries()) {
        expect(await shop.place(drafts[i]!)).to.deep.equal(answer)
        if (answer.state === 'placed') continue
        expect(answer).to.include({ reason: 'OVER_CREDIT_LIMIT' })
        expect(Number(answer.available_credit)).to.be.closeTo(now, 0.001)
      }
    },
  ],
)
