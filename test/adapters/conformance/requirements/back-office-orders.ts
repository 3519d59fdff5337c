import { expect } from 'chai'
import type { OrderDraft } from '../../../../src/ports/order.ts'
import { createCall } from '../../../support/create-call.ts'
import { interruptEachOrderExchange } from '../interrupt-each-exchange.ts'
import { CANCEL_REASON, createOrderFixture, ORDER_NEEDS } from '../order-fixture.ts'
import { requirementsOf } from '../requirement.ts'
import { retryWhileRetryable } from '../retry-while-retryable.ts'
import type { StaffOrder } from '../subject.ts'

const toStaffOrder = ({ po_number, requested_date, shipping_address, lines }: OrderDraft): StaffOrder => ({
  po_number,
  requested_date,
  city: shipping_address?.city ?? null,
  lines: lines.map(({ sku, quantity, unit_price }) => ({ sku, quantity, unit_price })),
})

/** Orders as staff see them, and what staff do with them. */
export const backOfficeOrderRequirements = [
  ...requirementsOf(
    'accounting.placeOrder',
    [
      'shows staff the address, the PO, the day and the lines of an order',
      [...ORDER_NEEDS, 'clerk.read'],
      async (bench) => {
        await using shop = createOrderFixture(bench)
        const draft = shop.draft({ po_number: 'PO 4711', requested_date: '2031-02-03' }, { quantity: ['2', '1'] })
        const { order_id } = await shop.placed(draft)
        expect(await bench.clerk.read(order_id)).to.deep.equal(toStaffOrder(draft))
      },
    ],
    [
      'sells several SKUs, each at its own price',
      [...ORDER_NEEDS, 'otherGoods'],
      async (bench) => {
        await using shop = createOrderFixture(bench)
        const { goods, otherGoods, customer } = bench.facts
        const draft = shop.draft({}, { goods: [otherGoods, goods, otherGoods], quantity: ['1', '3', '2'] })
        const { order_id, ...order } = await shop.placed(draft)
        expect(toStaffOrder(order as unknown as OrderDraft)).to.deep.equal(toStaffOrder(draft))
        expect(order.totals).to.deep.equal(draft.totals)
        const stored = await bench.accounting.order(customer.customerId, { order_id }, createCall())
        expect(stored).to.deep.equal({ order_id, ...order })
      },
    ],
    [
      "refuses a unit price that is not the system's own, though the totals agree with it",
      [...ORDER_NEEDS, 'ledgerHasPrices'],
      async (bench) => {
        await using shop = createOrderFixture(bench)
        const { goods } = bench.facts
        const cheap = (Number(goods.unitPrice) / 2).toFixed(2)
        const answer = await shop.place(shop.draft({}, { goods: { ...goods, unitPrice: cheap } }))
        expect(answer).to.include({ state: 'refused', reason: 'TOTALS_DISAGREE' })
      },
    ],
  ),
  ...requirementsOf('accounting.order', [
    'shows a partial shipment, and then the rest',
    [...ORDER_NEEDS, 'clerk.shipPart', 'clerk.ship'],
    async (bench) => {
      await using shop = createOrderFixture(bench)
      const { customer_id, order_id, lines } = await shop.placed(shop.draft({}, { quantity: '3' }))
      const { sku } = lines[0]!
      const read = async () => (await bench.accounting.order(customer_id, { order_id }, createCall()))!
      await bench.clerk.shipPart(order_id, sku, '1')
      const part = await read()
      expect([part.status, part.shipments.map((parcel) => parcel.lines)]).to.deep.equal([
        'PARTIALLY_SHIPPED',
        [[{ sku, quantity: '1' }]],
      ])
      expect(await bench.accounting.cancelOrder(customer_id, { order_id }, CANCEL_REASON, createCall())).to.deep.equal({
        state: 'refused',
        status: 'PARTIALLY_SHIPPED',
      })
      await bench.clerk.ship(order_id)
      const whole = await read()
      expect(whole.status).to.equal('SHIPPED')
      expect(whole.shipments.flatMap((parcel) => parcel.lines.map(({ quantity }) => quantity))).to.deep.equal([
        '1',
        '2',
      ])
    },
  ]),
  ...requirementsOf('accounting.cancelOrder', [
    'leaves a shipped order shipped, whichever request of an earlier cancellation arrives late',
    [...ORDER_NEEDS, 'clerk.ship'],
    async (bench) => {
      await using shop = createOrderFixture(bench)
      const statuses: string[] = []
      await interruptEachOrderExchange(bench, 'hold', async ({ passage, ports }, n) => {
        const { customer_id, order_id } = await shop.placed(shop.draft())
        const key = { order_id }
        const silence = new AbortController()
        const first = ports.accounting
          .cancelOrder(customer_id, key, CANCEL_REASON, createCall({ signal: silence.signal }))
          .then(
            () => true,
            () => true,
          )
        while (passage.heldCount === 0 && !(await Promise.race([first, pause()])));
        silence.abort()
        await first
        const isShipped = await Promise.resolve(bench.clerk.ship(order_id)).then(
          () => true,
          () => false,
        )
        await passage.release()
        // A cancellation that was interrupted keeps staff from shipping; the next one completes it.
        if (!isShipped)
          await retryWhileRetryable(() => bench.accounting.cancelOrder(customer_id, key, CANCEL_REASON, createCall()))
        const { status } = (await bench.accounting.order(customer_id, key, createCall()))!
        expect(status, `after exchange ${n} came late`).to.equal(isShipped ? 'SHIPPED' : 'CANCELLED')
        statuses.push(status)
      })
      expect(statuses).to.include('SHIPPED')
    },
  ]),
]

const pause = () => new Promise<false>((resolve) => setTimeout(resolve, 2, false))
