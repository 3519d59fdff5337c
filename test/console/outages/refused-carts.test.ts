import { expect } from 'chai'
import { archiveOrders } from '../../../src/storage/commerce/archive-orders.ts'
import { insertPendingOrder } from '../pages/pending-order.ts'
import { expectAll } from './expect-on-page.ts'
import { type OutageConsole, openOutageConsole } from './outage-console.ts'
import { MINUTE_MS } from './outage-times.ts'
import { recordStoreOutage } from './record-store-outage.ts'

const C9 = { merchant: 'acme', mode: 'live', customer_id: 'C-9' } as const
const HOUR_MS = 60 * MINUTE_MS
const iso = (ms: number) => new Date(ms).toISOString()
const NOT_KNOWN =
  'It is not known of each refused checkout whether an order was stored: look at the customer’s orders in accounting before a shopper orders again.'

describe('the page of an outage of the store, about the carts that it refused', () => {
  let outages: OutageConsole

  beforeEach(async () => {
    outages = await openOutageConsole()
  })
  afterEach(() => outages[Symbol.asyncDispose]())

  it('names the order that a refused checkout has left behind while the store failed', async () => {
    const { db, clock, readIncident } = outages
    const at = clock.ms
    const outage = await recordStoreOutage(outages, 'the store does not respond')
    const order = await insertPendingOrder(db, C9, iso(at + 4_000), { cart_id: outage.cartId }, [])
    await outage.end()
    // These are newer than the order.
    for (let index = 0; index < 25; index++) await insertPendingOrder(db, C9, iso(at + HOUR_MS + index * 1_000), {}, [])
    expectAll((await readIncident(at)).page, [
      'A refused cart of C-9 is an order now: see Checkouts below. Tell this shopper not to order that cart again.',
      `customers: C-9 stored as order ${order}`,
      'Orders 1 refused cart became an order; orders',
    ])
  })

  for (const [what, afterMs] of [
    ['shortly before the store failed', -50_000],
    ['while the store failed', 4_000],
  ] as const)
    it(`does not take an order of another cart ${what} for that of a refused cart`, async () => {
      const { db, clock, readIncident } = outages
      const at = clock.ms
      await insertPendingOrder(db, C9, iso(at + afterMs), { status: 'CONFIRMED', order_number: 'SO-8' } as object, [])
      const outage = await recordStoreOutage(outages, 'the store does not respond')
      await outage.end()
      for (let index = 0; index < 25; index++)
        await insertPendingOrder(db, C9, iso(at + HOUR_MS + index * 1_000), {}, [])
      const { page } = await readIncident(at)
      expectAll(page, [NOT_KNOWN, 'Orders not known for all refused checkouts'])
      expect(page).to.not.match(/Tell this shopper not|can order again|stored as order/)
    })

  it('does not say that a shopper can or cannot order again when the order of the refused cart is archived', async () => {
    const { db, clock, readIncident } = outages
    const at = clock.ms
    const outage = await recordStoreOutage(outages, 'the store does not respond')
    await insertPendingOrder(db, C9, iso(at + 4_000), { cart_id: outage.cartId, status: 'CONFIRMED' }, [])
    await outage.end()
    await archiveOrders(db, iso(at + HOUR_MS), 10)
    const { page } = await readIncident(at)
    expectAll(page, [NOT_KNOWN, 'customers: C-9 stored as order ord_'])
    expect(page).to.not.match(/Tell this shopper not|can order again/)
  })

  it('does not say that a shopper can or cannot order again when it does not know the cart', async () => {
    const { clock, readIncident, record, diagnostics, storeState } = outages
    const at = clock.ms
    storeState.outage = { beganAt: at, reason: 'the disk is full', isUnreachable: false }
    const refusal = { method: 'POST', status: 503, code: 'store_unavailable', ms: 4 }
    await record([{ ...refusal, route: 'checkout', url: '/v1/checkout', customerId: 'C-9' }], 5_000)
    storeState.outage = null
    clock.ms += 1_000
    await diagnostics.flush()
    const { page } = await readIncident(at)
    expect(page).to.include(NOT_KNOWN)
    expect(page).to.not.match(/Tell this shopper not|can order again/)
  })
})
