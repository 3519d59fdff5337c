import { expect } from 'chai'
import type { AccountingPort } from '../../../../src/ports/accounting.ts'
import type { OrderStatus } from '../../../../src/ports/order.ts'
import { createCall } from '../../../support/create-call.ts'
import { CANCEL_REASON, createOrderFixture, ORDER_NEEDS } from '../order-fixture.ts'
import { requirementsOf } from '../requirement.ts'
import type { TestBench } from '../test-bench.ts'

const STATUSES: OrderStatus[] = [
  'PENDING',
  'CONFIRMED',
  'PARTIALLY_SHIPPED',
  'SHIPPED',
  'DELIVERED',
  'REJECTED',
  'CANCELLED',
]

const listing =
  ({ accounting, facts }: TestBench) =>
  (query: Partial<Parameters<Required<AccountingPort>['orders']>[1]>) =>
    accounting.orders(facts.customer.customerId, { limit: 200, offset: 0, ...query }, createCall())

export const orderRequirements = requirementsOf(
  'accounting.orders',
  [
    'pages through orders, newest first, by status and by time (inclusive)',
    ORDER_NEEDS,
    async (bench) => {
      await using shop = createOrderFixture(bench)
      for (let n = 0; n < 3; n += 1) await shop.placed(shop.draft())
      const list = listing(bench)
      const orders = await shop.all()
      const times = orders.map(({ placed_at }) => placed_at)
      expect(times).to.deep.equal(times.toSorted((a, b) => b.localeCompare(a)))
      const second = await list({ limit: 1, offset: 1 })
      expect([second.orders, second.has_more]).to.deep.equal([[orders[1]], orders.length > 2])
      for (const status of STATUSES)
        expect((await list({ status })).orders, status).to.deep.equal(
          orders.filter((order) => order.status === status).slice(0, 200),
        )
      const since = orders[2]!.placed_at
      expect((await list({ placed_since: since })).orders).to.deep.equal(
        orders.filter(({ placed_at }) => placed_at >= since).slice(0, 200),
      )
      const past = await list({ offset: 10_000 })
      expect([past.orders, past.has_more]).to.deep.equal([[], false])
    },
  ],
  [
    'returns the orders of the customer only',
    [...ORDER_NEEDS, 'accounting.payment'],
    async (bench) => {
      await using shop = createOrderFixture(bench)
      const { customerId, otherId } = bench.facts.customer
      const { accounting } = bench
      const { order_id, reference } = await shop.placed(shop.draft())
      for (const who of [otherId, bench.facts.unknownCustomerId, 'no such/customer']) {
        for (const key of [{ order_id }, { reference: reference! }]) {
          expect(await accounting.order(who, key, createCall()), who).to.equal(null)
          expect(await accounting.payment(who, key, createCall()), who).to.equal(null)
          expect(await accounting.cancelOrder(who, key, CANCEL_REASON, createCall()), who).to.equal(null)
        }
        const page = await accounting.orders(who, { limit: 200, offset: 0 }, createCall())
        for (const order of page.orders) expect(order.customer_id).to.equal(who).and.not.equal(customerId)
      }
      for (const key of [{ order_id: 'no such/order' }, { order_id: '0' }, { reference: '%' }])
        for (const ask of [accounting.order, accounting.payment] as const)
          expect(await ask(customerId, key, createCall())).to.equal(null)
      expect((await accounting.order(customerId, { order_id }, createCall()))!.status).to.equal('CONFIRMED')
    },
  ],
  [
    'leaves out orders that were not placed online',
    ['accounting.order', 'otherChannel'],
    async ({ accounting, facts: { otherChannel } }) => {
      const { customerId, orderId } = otherChannel
      expect(await accounting.order(customerId, { order_id: orderId }, createCall())).to.equal(null)
      const { orders } = await accounting.orders(customerId, { limit: 200, offset: 0 }, createCall())
      expect(orders.map(({ order_id }) => order_id)).to.not.include(orderId)
    },
  ],
)
