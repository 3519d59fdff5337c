import { expect } from 'chai'
import { createCall } from '../../../support/create-call.ts'
import { interruptEachOrderExchange } from '../interrupt-each-exchange.ts'
import { CANCEL_REASON, createOrderFixture, ORDER_NEEDS } from '../order-fixture.ts'
import { requirementsOf } from '../requirement.ts'
import { retryWhileRetryable } from '../retry-while-retryable.ts'
import { UTC_TIMESTAMP } from './items.ts'

export const cancelOrderRequirements = requirementsOf(
  'accounting.cancelOrder',
  [
    'cancels a confirmed order, returns it unchanged when repeated, and releases the credit',
    ORDER_NEEDS,
    async (bench) => {
      await using shop = createOrderFixture(bench)
      const { accounting } = bench
      const before = await shop.available()
      const { customer_id, reference, order_id } = await shop.placed(shop.draft())
      const together = await Promise.all(
        [{ reference: reference! }, { order_id }].map((key) =>
          retryWhileRetryable(() => accounting.cancelOrder(customer_id, key, CANCEL_REASON, createCall())),
        ),
      )
      const other = { reason: 'OTHER', note: null }
      const cancelled = await accounting.cancelOrder(customer_id, { order_id }, other, createCall())
      for (const one of [...together, cancelled]) {
        expect(one).to.have.nested.include({ state: 'cancelled', 'order.status': 'CANCELLED' })
        expect(one).to.have.nested.property('order.cancelled_at').that.matches(UTC_TIMESTAMP)
        expect(one).to.have.nested.include({ 'order.cancel_reason': CANCEL_REASON.reason, 'order.order_id': order_id })
      }
      expect(await accounting.cancelOrder(customer_id, { order_id }, CANCEL_REASON, createCall())).to.deep.equal(
        cancelled,
      )
      expect(await shop.available()).to.be.closeTo(before, 0.001)
    },
  ],
  [
    'has one outcome, whichever response is lost',
    ORDER_NEEDS,
    async (bench) => {
      await using shop = createOrderFixture(bench)
      const before = await shop.available()
      await interruptEachOrderExchange(bench, 'lose', async ({ ports }, n) => {
        const { customer_id, order_id } = await shop.placed(shop.draft())
        await ports.accounting
          .cancelOrder(customer_id, { order_id }, CANCEL_REASON, createCall())
          .catch(() => undefined)
        const again = () =>
          retryWhileRetryable(() =>
            bench.accounting.cancelOrder(customer_id, { order_id }, CANCEL_REASON, createCall()),
          )
        const answer = await again()
        expect(answer, `after exchange ${n} was struck`).to.have.nested.include({
          'order.cancel_reason': CANCEL_REASON.reason,
        })
        expect(await again()).to.deep.equal(answer)
      })
      expect(await shop.available()).to.be.closeTo(before, 0.001)
    },
  ],
  [
    'returns null for an unknown order',
    ['customer'],
    async ({ accounting, facts: { customer } }) => {
      for (const key of [{ reference: 'ord_nothing' }, { order_id: 'no such/order' }, { order_id: '0' }])
        expect(await accounting.cancelOrder(customer.customerId, key, CANCEL_REASON, createCall())).to.equal(null)
    },
  ],
  [
    'refuses an order that was shipped long ago',
    ['past', 'customer'],
    async ({ accounting, facts: { past, customer } }) => {
      const answer = await accounting.cancelOrder(
        customer.customerId,
        { order_id: past.shippedOrderId },
        CANCEL_REASON,
        createCall(),
      )
      expect(answer).to.deep.equal({ state: 'refused', status: 'SHIPPED' })
    },
  ],
  [
    'refuses an order that was just shipped, and shows the shipment',
    [...ORDER_NEEDS, 'clerk.ship'],
    async (bench) => {
      await using shop = createOrderFixture(bench)
      const { customer_id, order_id, lines } = await shop.placed(shop.draft())
      await bench.clerk.ship(order_id)
      const answer = await bench.accounting.cancelOrder(customer_id, { order_id }, CANCEL_REASON, createCall())
      expect(answer).to.deep.equal({ state: 'refused', status: 'SHIPPED' })
      const order = (await bench.accounting.order(customer_id, { order_id }, createCall()))!
      expect(order.status).to.equal('SHIPPED')
      for (const { shipped_at } of order.shipments) expect(shipped_at).to.match(UTC_TIMESTAMP)
      expect(order.shipments.map((parcel) => parcel.lines)).to.deep.equal([
        lines.map(({ sku, quantity }) => ({ sku, quantity })),
      ])
    },
  ],
  [
    'refuses an invoiced order, and shows the invoice',
    [...ORDER_NEEDS, 'accounting.invoices', 'clerk.bill'],
    async (bench) => {
      await using shop = createOrderFixture(bench)
      const { accounting } = bench
      const { customer_id, order_id, reference, totals } = await shop.placed(shop.draft())
      await bench.clerk.bill(order_id)
      const answer = await accounting.cancelOrder(customer_id, { order_id }, CANCEL_REASON, createCall())
      expect(answer).to.deep.equal({ state: 'refused', status: 'CONFIRMED' })
      expect((await accounting.order(customer_id, { order_id }, createCall()))!.invoiced).to.equal(true)
      const query = { order_id, limit: 5, offset: 0, today: '2000-01-01' }
      const { invoices } = await accounting.invoices(customer_id, query, createCall())
      expect(invoices).to.have.lengthOf(1)
      expect(invoices[0]).to.include({ order_id, order_reference: reference, total: totals.total, status: 'OPEN' })
    },
  ],
)
