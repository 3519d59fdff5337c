import { expect } from 'chai'
import { CANCEL_REASON, createOrderFixture, interruptEachOrderExchange, ORDER_NEEDS } from '../order-fixture.ts'
import { requirementsOf } from '../requirement.ts'
import { retryWhileRetryable } from '../retry-and-interrupt.ts'
import { createCall } from '../subject.ts'

export const cancelOrderRequirements = requirementsOf(
  'accounting.cancelOrder',
  [
    'cancels a confirmed order, answers it as it is when asked again, and gives the credit back',
    ORDER_NEEDS,
    async (bench) => {
      await using counter = createOrderFixture(bench)
      const { accounting } = bench
      const before = await counter.available()
      const { customer_id, reference, order_id } = await counter.placed(counter.draft())
      const together = await Promise.all(
        [{ reference: reference! }, { order_id }].map((key) =>
          retryWhileRetryable(() => accounting.cancelOrder(customer_id, key, CANCEL_REASON, createCall())),
        ),
      )
      const other = { reason: 'OTHER', note: null }
      const cancelled = await accounting.cancelOrder(customer_id, { order_id }, other, createCall())
      for (const one of [...together, cancelled]) {
        expect(one).to.have.nested.include({ state: 'cancelled', 'order.status': 'CANCELLED' })
        expect(one).to.have.nested.include({ 'order.cancel_reason': CANCEL_REASON.reason, 'order.order_id': order_id })
      }
      expect(await accounting.cancelOrder(customer_id, { order_id }, CANCEL_REASON, createCall())).to.deep.equal(
        cancelled,
      )
      expect(await counter.available()).to.be.closeTo(before, 0.001)
    },
  ],
  [
    'comes to one end, whichever answer is lost on the way',
    ORDER_NEEDS,
    async (bench) => {
      await using counter = createOrderFixture(bench)
      const before = await counter.available()
      await interruptEachOrderExchange(bench, 'lose', async ({ ports }, n) => {
        const { customer_id, order_id } = await counter.placed(counter.draft())
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
      expect(await counter.available()).to.be.closeTo(before, 0.001)
    },
  ],
  [
    'answers nothing for an order that is not there',
    ['customer'],
    async ({ accounting, facts: { customer } }) => {
      for (const key of [{ reference: 'ord_nothing' }, { order_id: 'no such/order' }, { order_id: '0' }])
        expect(await accounting.cancelOrder(customer.customerId, key, CANCEL_REASON, createCall())).to.equal(null)
    },
  ],
  [
    'refuses one that has left long ago',
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
    'refuses one that has just left, and shows the parcel',
    [...ORDER_NEEDS, 'clerk.ship'],
    async (bench) => {
      await using counter = createOrderFixture(bench)
      const { customer_id, order_id, lines } = await counter.placed(counter.draft())
      await bench.clerk.ship(order_id)
      const answer = await bench.accounting.cancelOrder(customer_id, { order_id }, CANCEL_REASON, createCall())
      expect(answer).to.deep.equal({ state: 'refused', status: 'SHIPPED' })
      const order = (await bench.accounting.order(customer_id, { order_id }, createCall()))!
      expect(order.status).to.equal('SHIPPED')
      expect(order.shipments.map((parcel) => parcel.lines)).to.deep.equal([
        lines.map(({ sku, quantity }) => ({ sku, quantity })),
      ])
    },
  ],
  [
    'refuses one that is invoiced, and shows the invoice',
    [...ORDER_NEEDS, 'accounting.invoices', 'clerk.bill'],
    async (bench) => {
      await using counter = createOrderFixture(bench)
      const { accounting } = bench
      const { customer_id, order_id, reference, totals } = await counter.placed(counter.draft())
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
