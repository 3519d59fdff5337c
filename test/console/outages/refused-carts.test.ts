import { expect } from 'chai'
import { archiveOrders } from '../../../src/storage/commerce/archive-orders.ts'
import { callTrace } from '../../diagnostics/diagnostics-setup.ts'
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
    const calls = [callTrace({ operation: 'quote', at: clock.ms - 10 })]
    await record([{ ...refusal, route: 'checkout', url: '/v1/checkout', customerId: 'C-9', calls }], 5_000)
    storeState.outage = null
    clock.ms += 1_000
    await diagnostics.flush()
    const { page } = await readIncident(at)
    expect(page).to.include(NOT_KNOWN)
    expect(page).to.not.match(/Tell this shopper not|can order again/)
  })

  for (const [what, calledCheckouts] of [
    ['all of them', 0],
    ['some of them', 1],
  ] as const)
    it(`says that checkouts without a call placed no order, if ${what} made none`, async () => {
      const { clock, readIncident, readText, record, diagnostics, storeState } = outages
      const at = clock.ms
      storeState.outage = { beganAt: at, reason: 'the store does not respond', isUnreachable: false }
      const refusal = { method: 'POST', status: 503, code: 'store_unavailable', ms: 4 }
      const checkout = { ...refusal, route: 'checkout', url: '/v1/checkout' }
      const called = Array.from({ length: calledCheckouts }, () => ({
        ...{ ...checkout, calls: [callTrace({ operation: 'quote', at: clock.ms - 10 })] },
      }))
      await record([{ ...checkout, requestId: 'refused-1' }, checkout, ...called])
      storeState.outage = null
      clock.ms += 10_000
      await diagnostics.flush()
      const { page } = await readIncident(at)
      const refusedEarly = '2 refused checkouts placed no order: they were refused before any call to a system.'
      if (calledCheckouts === 0) {
        expectAll(page, [
          `${refusedEarly} These shoppers can order again.`,
          'Orders none was placed: each refused checkout was refused before any call to a system; orders that were confirmed before are not lost',
        ])
        expect(page).to.not.include('look at the customer’s orders')
      } else
        expectAll(page, [
          `${refusedEarly} It is not known of each other refused checkout whether an order was stored: look at the customer’s orders in accounting`,
          'Orders not known for all refused checkouts',
        ])
      expectAll(await readText('/request?id=refused-1'), [
        'It was refused before any call to a system, so it placed no order. It was also refused before the shopper and the cart were read, so neither is known.',
        'No calls were made for this request.',
      ])
    })
})
