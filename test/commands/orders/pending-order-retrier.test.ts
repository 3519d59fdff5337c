import { expect } from 'chai'
import { discardUnsentOrder } from '../../../src/commands/orders/order-transitions.ts'
import { createPendingOrderRetrier } from '../../../src/commands/orders/pending-order-retrier.ts'
import { UpstreamError } from '../../../src/errors.ts'
import type { Order, OrderDraft, PlaceOrderResult } from '../../../src/ports/order.ts'
import { bindCartToOrder, convertCart, findCart, insertCart } from '../../../src/storage/commerce/carts.ts'
import { customerColumns } from '../../../src/storage/commerce/customer-key.ts'
import { findOrder, insertOrder, type OrderRecord } from '../../../src/storage/commerce/orders.ts'
import type { Database } from '../../../src/storage/database.ts'
import { stores } from '../../support/stores.ts'
import { until } from '../../support/until.ts'

const customer = { merchant: 'acme', mode: 'sandbox' as const, customer_id: 'C-1' }
const totals = {
  subtotal: '10.00',
  discount_total: '0.00',
  tax_total: '0.00',
  shipping_total: '0.00',
  total: '10.00',
  taxes: [],
  tax_included: false,
}
const draftOf = (reference: string): OrderDraft => ({
  reference,
  customer_id: 'C-1',
  channel: 'ECOMMERCE',
  currency: 'JMD',
  payment_method: 'CASH_ON_DELIVERY',
  fulfillment_method: 'PICKUP',
  shipping_address: null,
  billing_address: null,
  contact: null,
  po_number: null,
  notes: null,
  requested_date: null,
  lines: [],
  promotions: [],
  totals,
})
const placed = ({ reference, channel: _, ...draft }: OrderDraft): PlaceOrderResult => {
  const at = '2026-01-01T00:00:00.000Z'
  const order: Order = {
    ...draft,
    order_id: `SO-${reference}`,
    order_number: '1',
    reference,
    status: 'CONFIRMED',
    placed_at: at,
    payment_status: 'NOT_REQUIRED',
    updated_at: at,
    shipments: [],
    invoiced: false,
    cancelled_at: null,
    cancel_reason: null,
    history: [],
  }
  return { state: 'placed', order }
}
const refused: PlaceOrderResult = { state: 'refused', reason: 'OVER_CREDIT_LIMIT', skus: [], available_credit: null }

for (const store of stores()) {
  describe(`retrying pending orders on ${store.name}`, () => {
    let db: Database
    let clock: number
    let asked: OrderDraft[]
    let answer: (draft: OrderDraft) => Promise<PlaceOrderResult>

    beforeEach(async () => {
      db = await store.open()
      clock = Date.parse('2026-01-01T00:00:00.000Z')
      asked = []
      answer = async (draft) => placed(draft)
    })
    afterEach(() => store.close())

    const at = (ms: number) => new Date(clock + ms).toISOString()
    const settler = (merchant = 'acme') =>
      createPendingOrderRetrier({
        commerce: { db, now: () => clock },
        backOfficeFor: (tenant) =>
          tenant.merchant === merchant ? { accounting: { placeOrder: (draft) => keep(draft) } } : null,
        onError: (error) => {
          throw error
        },
        intervalMs: null,
        random: () => 0.5,
      })
    const keep = (draft: OrderDraft) => {
      asked.push(draft)
      return answer(draft)
    }
    async function pending(change: Partial<OrderRecord> = {}): Promise<OrderRecord> {
      const cart = await insertCart(db, customer, { now: at(0), expiresAt: at(1_000_000) })
      const order_id = `ord_${cart.cart_id.slice(5)}`
      const order: OrderRecord = {
        ...customerColumns(customer),
        order_id,
        cart_id: cart.cart_id,
        status: 'PENDING',
        draft: draftOf(order_id),
        placed: null,
        acknowledged: false,
        leased_until: at(15_000),
        attempts: 0,
        reject_reason: null,
        created_at: at(0),
        updated_at: at(0),
        ...change,
      }
      await bindCartToOrder(db, cart.cart_id, cart.version, order_id)
      await insertOrder(db, order)
      if (order.acknowledged) await convertCart(db, cart.cart_id, order_id, at(0))
      return order
    }
    const stored = ({ order_id }: OrderRecord) => findOrder(db, customer, order_id)
    const cartOf = ({ cart_id }: OrderRecord) => findCart(db, { ...customer, cart_id })
    const events = () => db.selectFrom('events').select(['type', 'sequence', 'resource_id']).execute()

    it('skips an order that another process has leased', async () => {
      const order = await pending()
      await settler().runOnce()
      expect(asked).to.deep.equal([])
      expect(await stored(order)).to.deep.equal(order)
    })

    it('sends the same order again, and confirms it', async () => {
      const order = await pending()
      clock += 15_000
      await settler().runOnce()
      expect(asked).to.deep.equal([order.draft])
      expect(await stored(order)).to.deep.include({ status: 'CONFIRMED', attempts: 1 })
      expect(await cartOf(order)).to.include({ state: 'CONVERTED', order_id: order.order_id })
      expect(await events()).to.deep.equal([{ type: 'order.confirmed', sequence: 1, resource_id: order.order_id }])
    })

    it('opens the cart again when accounting refuses an order that no shopper has seen', async () => {
      answer = async () => refused
      const order = await pending({ leased_until: at(0) })
      await settler().runOnce()
      expect(await stored(order)).to.equal(null)
      expect(await cartOf(order)).to.include({ state: 'ACTIVE', order_id: null })
      expect(await events()).to.deep.equal([])
    })

    it('rejects a refused order that the shopper has seen', async () => {
      answer = async () => refused
      const order = await pending({ leased_until: at(0), acknowledged: true })
      await settler().runOnce()
      expect(await stored(order)).to.include({ status: 'REJECTED', reject_reason: 'OVER_CREDIT_LIMIT' })
      expect(await cartOf(order)).to.include({ state: 'CONVERTED' })
      expect(await events()).to.deep.equal([{ type: 'order.rejected', sequence: 1, resource_id: order.order_id }])
    })

    it('backs off while accounting does not respond, up to 75 seconds', async () => {
      answer = () => Promise.reject(new UpstreamError('timeout', 'no answer'))
      const order = await pending({ leased_until: at(0), acknowledged: true })
      const pauses: number[] = []
      for (let round = 0; round < 8; round += 1) {
        await settler().runOnce()
        const { leased_until } = (await stored(order))!
        pauses.push(Date.parse(leased_until) - clock)
        clock = Date.parse(leased_until)
      }
      expect(pauses).to.deep.equal([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000])
      answer = async (draft) => placed(draft)
      await settler().runOnce()
      expect(await stored(order)).to.include({ status: 'CONFIRMED', attempts: 9 })
    })

    it('sends an order once when two processes find it', async () => {
      const orders = await Promise.all(Array.from({ length: 12 }, () => pending({ leased_until: at(0) })))
      await Promise.all([settler().runOnce(), settler().runOnce(), settler().runOnce()])
      expect(asked.map(({ reference }) => reference).sort()).to.deep.equal(
        orders.map(({ order_id }) => order_id).sort(),
      )
      expect(await events()).to.have.length(12)
    })

    it('postpones the orders of a merchant that is not configured', async () => {
      const order = await pending({ leased_until: at(0) })
      await settler('zenith').runOnce()
      expect(await stored(order)).to.deep.include({ status: 'PENDING', leased_until: at(1_000) })
    })

    it('does not delay other tenants when one tenant has a backlog', async () => {
      const { promise: hung, resolve } = Promise.withResolvers<PlaceOrderResult>()
      answer = async (draft) => (draft.customer_id === 'C-1' ? hung : placed(draft))
      for (let made = 0; made < 120; made += 1) await pending({ leased_until: at(-2) })
      const other = { ...customer, mode: 'live' as const }
      const draft = { ...draftOf('ord_other'), customer_id: 'C-2' }
      const order = await pending({ ...customerColumns(other), draft, leased_until: at(-1) })
      const settling = settler()
      const rounds = [settling.runOnce()]
      await until('the other ledger is asked', async () => {
        rounds.push(settling.runOnce())
        return (await findOrder(db, other, order.order_id))?.status === 'CONFIRMED'
      })
      resolve(refused)
      await Promise.all(rounds)
    })

    it('does not discard an order that another process has taken over', async () => {
      const order = await pending({ leased_until: at(0) })
      const { promise, resolve } = Promise.withResolvers<void>()
      const begun = Promise.withResolvers<void>()
      answer = async (draft) => {
        begun.resolve()
        await promise
        return placed(draft)
      }
      const round = settler().runOnce()
      await begun.promise
      expect(await discardUnsentOrder({ db, now: () => clock }, order)).to.equal(false)
      resolve()
      await round
      expect(await stored(order)).to.include({ status: 'CONFIRMED' })
      expect(await cartOf(order)).to.include({ state: 'CONVERTED', order_id: order.order_id })
    })

    it('finishes running orders before it ends, and starts no more', async () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const orders = await Promise.all(Array.from({ length: 9 }, () => pending({ leased_until: at(0) })))
      const begun = Promise.withResolvers<void>()
      answer = async (draft) => {
        begun.resolve()
        await promise
        return placed(draft)
      }
      const ending = settler()
      const round = ending.runOnce()
      await begun.promise
      const ended = ending[Symbol.asyncDispose]()
      resolve()
      await Promise.all([ended, round])
      const statuses = await Promise.all(orders.map(async (order) => (await stored(order))!.status))
      expect(statuses.filter((status) => status === 'CONFIRMED')).to.have.length(asked.length)
      expect(asked.length).to.be.within(1, 4)
    })
  })
}
