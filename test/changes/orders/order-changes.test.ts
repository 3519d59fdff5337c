import { expect } from 'chai'
import {
  markOrderCancelled,
  markOrderConfirmed,
  markOrderRefused,
} from '../../../src/commands/orders/order-transitions.ts'
import type { Order, OrderDraft, OrderStatus } from '../../../src/ports/order.ts'
import { bindCartToOrder, findCart, insertCart } from '../../../src/storage/commerce/carts.ts'
import { customerColumns } from '../../../src/storage/commerce/customer-key.ts'
import { findOrder, insertOrder, type OrderRecord } from '../../../src/storage/commerce/orders.ts'
import type { Database } from '../../../src/storage/database.ts'
import { stores } from '../../support/stores.ts'
import { createFakeSystems, type FakeSystems } from '../fake-systems.ts'
import { readEventData, readEventLines } from '../read-events.ts'
import { createTestFeed } from '../test-feed.ts'

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

for (const store of stores()) {
  describe(`order changes on ${store.name}`, () => {
    let db: Database
    let systems: FakeSystems

    beforeEach(async () => {
      db = await store.open()
      systems = createFakeSystems()
    })
    afterEach(() => store.close())

    const desk = () => ({ db, now: () => systems.now })

    function ledgerOrder(reference: string | null, change: Partial<Order> = {}): Order {
      const { reference: _, channel: __, ...draft } = draftOf('')
      const at = systems.at()
      return {
        ...draft,
        order_id: `SO-${reference ?? systems.orders.rows.length}`,
        order_number: '7',
        reference,
        status: 'CONFIRMED',
        payment_status: 'NOT_REQUIRED',
        placed_at: at,
        updated_at: at,
        shipments: [],
        invoiced: false,
        cancelled_at: null,
        cancel_reason: null,
        history: [{ status: 'CONFIRMED', at }],
        ...change,
      }
    }
    function inLedger(order: Order): Order {
      systems.orders.rows = systems.orders.rows.filter(({ order_id }) => order_id !== order.order_id)
      systems.orders.rows.push(order)
      return order
    }
    /** Changes the order in accounting, as a clerk or another program would. */
    function step(order: Order, status: OrderStatus, change: Partial<Order> = {}): Order {
      systems.now += 1_000
      const history = [...order.history, { status, at: systems.at() }]
      return inLedger({ ...order, status, history, updated_at: systems.at(), ...change })
    }
    const parcel = (id: string) => ({
      shipment_id: id,
      carrier: 'Post',
      tracking_number: 'T-1',
      tracking_url: null,
      shipped_at: systems.at(),
      lines: [{ sku: 'A', quantity: '2' }],
    })
    async function pending(acknowledged = false): Promise<OrderRecord> {
      const cart = await insertCart(db, customer, { now: systems.at(), expiresAt: systems.at(1_000_000) })
      const order_id = `ord_${cart.cart_id.slice(5)}`
      const order: OrderRecord = {
        ...customerColumns(customer),
        order_id,
        cart_id: cart.cart_id,
        status: 'PENDING',
        draft: draftOf(order_id),
        placed: null,
        acknowledged,
        leased_until: systems.at(15_000),
        attempts: 0,
        reject_reason: null,
        created_at: systems.at(),
        updated_at: systems.at(),
      }
      await bindCartToOrder(db, cart.cart_id, cart.version, order_id)
      await insertOrder(db, order)
      return order
    }
    const stored = ({ order_id }: OrderRecord) => findOrder(db, customer, order_id)
    const kinds = async () => (await readEventLines(db)).map((line) => line.split(' ')[0])
    async function rounds(feed: { tick(): Promise<void> }) {
      await feed.tick()
      systems.now += 6_000
      await feed.tick()
    }

    it('reports each status of an order once and in order', async () => {
      await using feed = createTestFeed(db, systems)
      await feed.tick()
      const row = await pending()
      let order = inLedger(ledgerOrder(row.order_id))
      await markOrderConfirmed(desk(), row, order)
      await rounds(feed)
      order = step(order, 'PARTIALLY_SHIPPED', { shipments: [parcel('1')] })
      await rounds(feed)
      order = step(order, 'PARTIALLY_SHIPPED', { shipments: [parcel('1'), parcel('2')] })
      await rounds(feed)
      order = step(order, 'SHIPPED', { shipments: [parcel('1'), parcel('2'), parcel('3')] })
      order = step(order, 'DELIVERED')
      await rounds(feed)
      expect(await readEventLines(db)).to.deep.equal(
        ['confirmed', 'partially_shipped', 'partially_shipped', 'shipped', 'delivered'].map(
          (kind) => `order.${kind} ${row.order_id}`,
        ),
      )
      const [shipped] = await readEventData(db, 'order.shipped')
      expect(shipped).to.include({ order_id: row.order_id, order_number: '7', customer_id: 'C-1', item_count: 0 })
      expect(shipped.shipments).to.have.length(3)
      expect(shipped.shipments[0].lines).to.deep.equal([{ sku: 'A', quantity: 2 }])
    })

    it('confirms an order that accounting has accepted but a clerk has yet to release', async () => {
      await using feed = createTestFeed(db, systems)
      await feed.tick()
      const row = await pending()
      const order = inLedger(ledgerOrder(row.order_id, { status: 'PENDING', history: [] }))
      await rounds(feed)
      expect(await kinds()).to.deep.equal([])
      await markOrderConfirmed(desk(), row, order)
      expect(await kinds()).to.deep.equal(['order.confirmed'])
      expect((await readEventData(db, 'order.confirmed'))[0].status).to.equal('CONFIRMED')
      step(order, 'CONFIRMED')
      await rounds(feed)
      expect(await kinds()).to.deep.equal(['order.confirmed'])
    })

    it('reports a cancellation whose process was killed before it was recorded', async () => {
      await using feed = createTestFeed(db, systems)
      await feed.tick()
      const row = await pending()
      const order = inLedger(ledgerOrder(row.order_id))
      const confirmed = (await markOrderConfirmed(desk(), row, order))!
      await rounds(feed)
      const cancelled = step(order, 'CANCELLED', { cancel_reason: 'CUSTOMER_REQUEST', cancelled_at: systems.at() })
      await rounds(feed)
      expect(await kinds()).to.deep.equal(['order.confirmed', 'order.cancelled'])
      expect(await stored(row)).to.deep.include({ status: 'CANCELLED', placed: cancelled })
      expect((await readEventData(db, 'order.cancelled'))[0]).to.include({ cancel_reason: 'CUSTOMER_REQUEST' })
      await markOrderCancelled(desk(), confirmed, cancelled)
      expect(await kinds()).to.have.length(2)
    })

    it('reports no cancellation that is already recorded', async () => {
      await using feed = createTestFeed(db, systems)
      await feed.tick()
      const row = await pending()
      const order = inLedger(ledgerOrder(row.order_id))
      const confirmed = (await markOrderConfirmed(desk(), row, order))!
      await markOrderCancelled(desk(), confirmed, step(order, 'CANCELLED'))
      await rounds(feed)
      expect(await kinds()).to.deep.equal(['order.confirmed', 'order.cancelled'])
    })

    it('confirms an order whose response was lost, and its checkout then finds it confirmed', async () => {
      await using feed = createTestFeed(db, systems)
      await feed.tick()
      const row = await pending()
      const order = step(inLedger(ledgerOrder(row.order_id)), 'SHIPPED', { shipments: [parcel('1')] })
      await rounds(feed)
      expect(await kinds()).to.deep.equal(['order.confirmed', 'order.shipped'])
      const [confirmed] = await readEventData(db, 'order.confirmed')
      const [shipped] = await readEventData(db, 'order.shipped')
      expect([confirmed.status, shipped.status]).to.deep.equal(['CONFIRMED', 'SHIPPED'])
      expect(Date.parse(confirmed.updated_at)).to.be.below(Date.parse(shipped.updated_at))
      expect(await stored(row)).to.include({ status: 'CONFIRMED' })
      expect(await findCart(db, { ...customer, cart_id: row.cart_id })).to.include({ state: 'CONVERTED' })
      expect(await markOrderConfirmed(desk(), row, order)).to.equal(null)
      expect(await kinds()).to.have.length(2)
    })

    it('reports an order once however many processes find it at the same time', async () => {
      await using feed = createTestFeed(db, systems)
      await feed.tick()
      const rows = []
      for (let made = 0; made < 12; made += 1) rows.push(await pending())
      const orders = rows.map(({ order_id }) => inLedger(ledgerOrder(order_id)))
      await Promise.all([
        feed.tick(),
        ...rows.map((row, at) => markOrderConfirmed(desk(), row, orders[at]!)),
        ...rows.map((row, at) => markOrderConfirmed(desk(), row, orders[at]!)),
      ])
      await rounds(feed)
      expect((await readEventLines(db)).sort()).to.deep.equal(
        rows.map(({ order_id }) => `order.confirmed ${order_id}`).sort(),
      )
    })

    it('leaves a refusal to its checkout, which knows the reason', async () => {
      await using feed = createTestFeed(db, systems)
      await feed.tick()
      const row = await pending(true)
      inLedger(ledgerOrder(row.order_id, { status: 'REJECTED', history: [] }))
      await rounds(feed)
      expect(await stored(row)).to.include({ status: 'PENDING' })
      await markOrderRefused(desk(), row, 'OVER_CREDIT_LIMIT')
      await rounds(feed)
      expect(await kinds()).to.deep.equal(['order.rejected'])
      expect((await readEventData(db, 'order.rejected'))[0]).to.include({
        reject_reason: 'OVER_CREDIT_LIMIT',
        customer_id: 'C-1',
      })
    })

    it('reports orders that were placed elsewhere with accounting’s own id, but not their past', async () => {
      const old = inLedger(ledgerOrder(null, { order_id: 'SO-OLD' }))
      await using feed = createTestFeed(db, systems)
      await rounds(feed)
      step(old, 'SHIPPED')
      inLedger(ledgerOrder('another program’s', { order_id: 'SO-NEW' }))
      inLedger(ledgerOrder(null, { order_id: 'SO-LATE', status: 'SHIPPED', updated_at: systems.at(), ...before(400) }))
      await rounds(feed)
      expect((await readEventLines(db)).sort()).to.deep.equal(['order.confirmed SO-NEW', 'order.shipped SO-OLD'])
      expect((await readEventData(db, 'order.confirmed'))[0]).to.include({ order_id: 'SO-NEW' })
    })
    const before = (days: number) => {
      const at = systems.at(-days * 86_400_000)
      return {
        placed_at: at,
        history: [
          { status: 'CONFIRMED' as const, at },
          { status: 'SHIPPED' as const, at },
        ],
      }
    }

    it('catches up on orders that were placed here before the feed began', async () => {
      const row = await pending()
      const order = inLedger(ledgerOrder(row.order_id))
      await markOrderConfirmed(desk(), row, order)
      await db.updateTable('resources').set({ state: null }).execute()
      step(order, 'CANCELLED')
      await using feed = createTestFeed(db, systems)
      await rounds(feed)
      expect(await kinds()).to.deep.equal(['order.confirmed', 'order.cancelled'])
    })

    it('skips an invalid order and applies the others', async () => {
      await using feed = createTestFeed(db, systems)
      await feed.tick()
      inLedger(ledgerOrder(null, { order_id: 'SO-A' }))
      inLedger(ledgerOrder(null, { order_id: 'SO-B', lines: null as never }))
      inLedger(ledgerOrder(null, { order_id: 'SO-C' }))
      await rounds(feed)
      expect((await readEventLines(db)).sort()).to.deep.equal(['order.confirmed SO-A', 'order.confirmed SO-C'])
      expect(feed.errors).to.have.length.above(0)
    })
  })
}
