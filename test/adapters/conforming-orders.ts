import { expect } from 'chai'
import type { AccountingPort } from '../../src/ports/accounting.ts'
import type { OrderDraft } from '../../src/ports/order.ts'
import { draftOf, type Goods } from './conforming-draft.ts'
import { call, failsWell, type Subject } from './subject.ts'

type Selling = Required<AccountingPort>

/** References are names for ever: each run over a back office that lives on has its own. */
const run = Date.now().toString(36)

export function conformingOrders(subject: () => Subject): void {
  const selling = () => {
    const { accounting, facts } = subject()
    const { customer, goods } = facts
    if (!accounting?.placeOrder || !customer || !goods) return undefined
    return { ...{ port: accounting as Selling, goods, customer, facts }, id: customer.customerId }
  }
  const draft = (name: string, of: { id: string; goods: Goods }, change: Partial<OrderDraft> = {}, quantity = '3') =>
    draftOf({ reference: `ord_${run}${name}`, customerId: of.id, goods: of.goods, quantity }, change)
  const available = async ({ port, id }: { port: Selling; id: string }) =>
    Number((await port.credit(id, call()))!.available_credit)

  describe('accounting.placeOrder', () => {
    it('makes one order of one reference, under eight attempts at once and one later', async () => {
      const of = selling()
      if (!of) return
      const before = await available(of)
      const one = draft('once', of)
      const answers = await Promise.all(Array.from({ length: 8 }, () => of.port.placeOrder(one, call())))
      for (const answer of [...answers, await of.port.placeOrder(one, call())]) expect(answer).to.deep.equal(answers[0])
      const listed = await of.port.orders(of.id, { limit: 200, offset: 0 }, call())
      expect(listed.orders.filter(({ reference }) => reference === one.reference)).to.have.lengthOf(1)
      expect(await available(of)).to.be.closeTo(before - Number(one.totals.total), 0.001)
    })

    it('keeps what it was given', async () => {
      const of = selling()
      if (!of) return
      const one = draft('kept', of)
      const answer = await of.port.placeOrder(one, call())
      const order = answer.state === 'placed' ? answer.order : null
      const { channel: _, ...given } = one
      const { taxes: __, ...figures } = given.totals
      expect(order).to.deep.include({ ...given, totals: { ...figures, taxes: given.totals.taxes } })
      expect(order).to.include({ status: 'CONFIRMED', payment_status: 'NOT_REQUIRED', invoiced: false })
      for (const key of [{ reference: one.reference }, { order_id: order!.order_id }])
        expect(await of.port.order(of.id, key, call())).to.deep.equal(order)
    })

    it('refuses for ever what it refused once, though the reason is gone', async () => {
      const of = selling()
      if (!of) return
      const right = draft('wrong', of)
      const wrong = { ...right, totals: { ...right.totals, total: '1.00' } }
      const refused = { state: 'refused', reason: 'TOTALS_DISAGREE', skus: [], available_credit: null }
      expect(await of.port.placeOrder(wrong, call())).to.deep.equal(refused)
      expect(await of.port.placeOrder(right, call())).to.deep.equal(refused)
      expect(await of.port.order(of.id, { reference: right.reference }, call())).to.equal(null)
    })

    it('refuses goods that it does not know, naming them', async () => {
      const of = selling()
      if (!of) return
      const answer = await of.port.placeOrder(
        draft('goods', { ...of, goods: { ...of.goods, sku: of.facts.unknownSku } }),
        call(),
      )
      expect(answer).to.deep.include({ state: 'refused', reason: 'LINE_UNAVAILABLE', skus: [of.facts.unknownSku] })
    })

    it('refuses credit to one who has none', async () => {
      const of = selling()
      if (!of?.facts.cashCustomerId) return
      const answer = await of.port.placeOrder(draft('cash', { ...of, id: of.facts.cashCustomerId }), call())
      expect(answer).to.include({ state: 'refused', reason: 'PAYMENT_METHOD_NOT_ALLOWED' })
    })

    it('never lets orders at once exceed the credit limit', async () => {
      const of = selling()
      if (!of) return
      const left = await available(of)
      const third = Math.floor(left / 3 / (Number(of.goods.unitPrice) * 1.15))
      const drafts = Array.from({ length: 8 }, (_, i) => draft(`limit${i}`, of, {}, String(third)))
      const answers = await Promise.all(drafts.map((each) => of.port.placeOrder(each, call())))
      expect(answers.filter(({ state }) => state === 'placed')).to.have.lengthOf(3)
      const refusals = answers.filter((answer) => answer.state === 'refused')
      for (const refusal of refusals) {
        expect(refusal.reason).to.equal('OVER_CREDIT_LIMIT')
        expect(Number(refusal.available_credit)).to.be.lessThan(Number(drafts[0]!.totals.total))
      }
      expect(await available(of)).to.be.at.least(0)
      for (const { reference } of drafts)
        await of.port.cancelOrder(of.id, { reference }, { reason: 'OTHER', note: null }, call())
      expect(await available(of)).to.be.closeTo(left, 0.001)
    })

    failsWell(({ accounting }, asked) => {
      const goods = { sku: 'A', uom: 'each', unitPrice: '1.00' }
      const { placeOrder, order, orders, cancelOrder, payment } = accounting ?? {}
      const key = { reference: 'r' }
      return [
        placeOrder?.(draftOf({ reference: 'r', customerId: 'C', goods }), asked),
        order?.('C', key, asked),
        orders?.('C', { limit: 1, offset: 0 }, asked),
        cancelOrder?.('C', key, { reason: 'OTHER', note: null }, asked),
        payment?.('C', key, asked),
      ].filter((asking) => asking !== undefined)
    }, subject)
  })

  describe('accounting.orders', () => {
    it('pages through them, newest first, by status and time', async () => {
      const of = selling()
      if (!of) return
      const list = (query: object) => of.port.orders(of.id, { limit: 200, offset: 0, ...query }, call())
      const { orders, total } = await list({})
      expect(total).to.equal(orders.length)
      expect(orders.map(({ placed_at }) => placed_at)).to.deep.equal(
        orders.map(({ placed_at }) => placed_at).toSorted((a, b) => b.localeCompare(a)),
      )
      const second = await list({ limit: 1, offset: 1 })
      expect([second.orders, second.has_more]).to.deep.equal([[orders[1]], orders.length > 2])
      const { status, placed_at } = orders.at(-1)!
      expect((await list({ status })).orders).to.deep.equal(orders.filter((order) => order.status === status))
      expect((await list({ placed_since: placed_at })).orders).to.have.lengthOf(orders.length)
      expect((await list({ offset: 10_000 })).orders).to.deep.equal([])
    })

    it("answers another customer's as absent", async () => {
      const of = selling()
      if (!of) return
      const [mine] = (await of.port.orders(of.id, { limit: 1, offset: 0 }, call())).orders
      const { otherId } = of.customer
      for (const key of [{ order_id: mine!.order_id }, { reference: mine!.reference ?? 'ord_nothing' }]) {
        expect(await of.port.order(otherId, key, call())).to.equal(null)
        expect(await of.port.payment(otherId, key, call())).to.equal(null)
        expect(await of.port.cancelOrder(otherId, key, { reason: 'OTHER', note: null }, call())).to.equal(null)
      }
      expect((await of.port.order(of.id, { order_id: mine!.order_id }, call()))!.status).to.equal(mine!.status)
    })
  })

  describe('accounting.cancelOrder', () => {
    const why = { reason: 'CUSTOMER_REQUEST', note: 'found it' }

    it('cancels a confirmed order, answers it as it is when asked again, and gives the credit back', async () => {
      const of = selling()
      if (!of) return
      const before = await available(of)
      const one = draft('cancel', of)
      await of.port.placeOrder(one, call())
      const key = { reference: one.reference }
      const cancelled = await of.port.cancelOrder(of.id, key, why, call())
      expect(cancelled).to.have.nested.include({
        state: 'cancelled',
        'order.status': 'CANCELLED',
        'order.cancel_reason': 'CUSTOMER_REQUEST',
      })
      expect(await of.port.cancelOrder(of.id, key, why, call())).to.deep.equal(cancelled)
      expect(await available(of)).to.be.closeTo(before, 0.001)
      expect(await of.port.payment(of.id, key, call())).to.include({ status: 'NOT_REQUIRED', session_id: null })
    })

    it('refuses one that has left', async () => {
      const of = selling()
      const past = of?.facts.past
      if (!of || !past) return
      const answer = await of.port.cancelOrder(of.id, { order_id: past.shippedOrderId }, why, call())
      expect(answer).to.deep.equal({ state: 'refused', status: 'SHIPPED' })
    })
  })
}
