import { expect } from 'chai'
import { callTrace } from '../../diagnostics/diagnostics-setup.ts'
import { expectAll } from './expect-on-page.ts'
import { insertPlacedCart } from './insert-carts-and-orders.ts'
import { type OutageConsole, openOutageConsole } from './outage-console.ts'
import { around, HOUR_MS, MINUTE_MS, toClock } from './outage-times.ts'
import { recordOrderReportedDuringCheckout } from './record-order-outages.ts'

const ACCOUNTING = 'Whom to call about accounting of Acme Parts: Ines Brown, +1 876 555-0101'

describe('an order whose response from accounting was lost, and that the change feed confirmed during its checkout', () => {
  let outages: OutageConsole
  let at: number
  let order: string

  before(async () => {
    outages = await openOutageConsole()
    at = outages.clock.ms
    order = await recordOrderReportedDuringCheckout(outages, 'lost-1')
  })
  after(() => outages[Symbol.asyncDispose]())

  it('was placed once: its page says how often accounting was asked, and when it was confirmed', async () => {
    const page = await outages.readText(`/orders/${order}`)
    expectAll(page, [
      'Order SO-3 Acme Parts, live Confirmed',
      `Accounting was asked once, and the first call failed: no response in 2950 ms. Accounting stored the order at attempt 1: only its response was lost. Accounting confirmed the order at ${toClock(at - 100)}, as its change feed reported, before it was asked again. It was placed once: each attempt sends the same reference, ${order}, and accounting keeps one order of a reference. The shopper sees that`,
      `Checkout requests lost-1 at ${toClock(at)}: status 200 after 3,035 ms; Place an order (accounting): no response in 2999 ms`,
      'Nothing is left to do here. Each attempt sent the same reference, so accounting has this order only once.',
      ACCOUNTING,
      `Checkout ${toClock(at - 35)} 3,000 ms Failed No response in 2950 ms`,
      `Change feed ${toClock(at - 100)} – Placed Accounting reported the order as SO-3`,
    ])
    expect(page).to.not.include('has not ended yet')
  })

  it('says whether the customer has ordered another cart', async () => {
    const { db, readText } = outages
    const name = 'Other orders of the customer within an hour'
    expect(await readText(`/orders/${order}`)).to.include(`${name} none`)
    const [before, longBefore] = [at - 20 * MINUTE_MS, at - 3 * HOUR_MS]
    for (const time of [before, longBefore]) {
      const waits = {
        number: 0,
        at: new Date(time).toISOString(),
        ms: 700,
        outcome: 'timeout',
        kind: 'no response',
      } as const
      await insertPlacedCart(db, 'C-58', time, {}, [waits])
    }
    const page = await readText(`/orders/${order}`)
    expect(page).to.match(new RegExp(`${name} ord_\\w+ waiting for accounting, ordered at ${toClock(before)} Cart`))
  })

  it('is named among the other events of that time', async () => {
    const list = await outages.readText(around('/incidents?', at))
    expectAll(list, [
      'No incident began, was open or ended within',
      `${toClock(at - 3_035)} Order SO-3 (${order}) of Acme Parts (live): the call that places it failed (no response in 2950 ms); placed once, confirmed at ${toClock(at - 100)}`,
    ])
    expect(await outages.readText(around('/request?merchant=acme&mode=live&kind=slow&', at))).to.include(
      'Slow Checkout checkout 200 3,035 ms Place an order (accounting): no response in 2999 ms',
    )
  })

  it('has a request that says what failed, what the shopper was told, and whom to call', async () => {
    expectAll(await outages.readText('/request?id=lost-1'), [
      'The response was 200 after 3,035 ms (deadline 2,500 ms). A call failed: Place an order (accounting): no response in 2999 ms. Meanwhile, the change feed of accounting had reported the order, so the shopper was told that it was placed.',
      'Order of this cart SO-3 (confirmed)',
      ACCOUNTING,
    ])
  })

  it('says of an order at the first attempt when it was confirmed, and of one without a response that it is being processed', async () => {
    const { record, readText, clock } = outages
    const call = callTrace({ system: 'accounting', operation: 'placeOrder', outcome: 'timeout', at: clock.ms - 3_000 })
    const section = { name: 'checkout', outcome: 'timeout', ms: 3_000, system: 'accounting' } as const
    const missing = { ...section, code: 'downstream_timeout', staleAsOf: null, cause: null, simulated: false } as const
    await record([
      {
        ...{ requestId: 'waits-1', route: 'checkout', method: 'POST', url: '/v1/checkout', customerId: 'C-57' },
        ...{ calls: [call], sections: [missing] },
      },
    ])
    expectAll(await readText('/request?id=waits-1'), ['The shopper was told that the order is being processed.'])
  })
})
