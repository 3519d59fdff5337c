import { expect } from 'chai'
import { storeCartPricing } from '../../../src/storage/commerce/carts.ts'
import { describeOutages } from './describe-outages.ts'
import { expectAll, expectSameDuration } from './expect-on-page.ts'
import { insertUnpricedCart, placeOrder } from './insert-carts-and-orders.ts'
import { MINUTE_MS, toClock } from './outage-times.ts'
import {
  delayingLedger,
  recordDelayedOrder,
  recordRefusedCheckout,
  recordRefusingLedger,
  recordReportedOrder,
  refusingLedger,
} from './record-order-outages.ts'
import { traceFailure } from './system-outage.ts'

describeOutages('an outage that hits orders and checkouts, from a clock time alone', (outages) => {
  it('names the order that waits while the ledger refuses connections, why, and then when it was placed', async () => {
    const { db, clock, readText, readIncident, recover } = outages()
    const at = clock.ms
    const { order, nextAt } = await recordRefusingLedger(outages())
    expectAll(await readText('/'), [
      `1 order that accounting has not confirmed yet, the oldest since ${toClock(at - 14)}: ${order} of Acme Parts (live)`,
      `The latest attempt made no call, because of earlier failures: connection refused. Forecourt tries again at ${toClock(nextAt)}.`,
      'While calls are paused, a single call is made now and then as a trial: the next one that a request, a waiting order or a read in the background needs. After a failed trial, the next follows a second or more later. Other requests make no call, so they say nothing of whether the system works. After two successful trials in a row, calls are made again.',
      'Checkout: 2 degraded responses since ',
      ': 1 checkout refused with an error, 1 checkout accepted but not confirmed: the shopper saw',
    ])
    const orderPage = await readText(`/orders/${order}`)
    expectAll(orderPage, [
      'Tell whoever runs accounting: Connection refused. Nothing accepts connections',
      'BP-1001 Brake pad',
      `The next attempt is at ${toClock(nextAt)}.`,
      '1 attempt failed, and 1 made no call, because calls were paused.',
      `The order has waited for accounting since ${toClock(at - 14)}, for `,
      `Ordered ${toClock(at - 14)} Last change of its state ${toClock(at)}`,
      'Whom to call about accounting of Acme Parts: Ines Brown, +1 876 555-0101',
      'No call No call was made, because of earlier failures: connection refused',
    ])
    expect(orderPage).to.not.match(/rejects this order|no attempt can succeed/)
    const ongoing = await readIncident(at)
    expectAll(ongoing.list, refusingLedger.list)
    expectAll(ongoing.page, ['Checkout checkout Connection refused', 'paused after 5 × connection refused'])
    expectAll(ongoing.page, [
      ...refusingLedger.page,
      '1 checkout refused with an error',
      '1 checkout accepted but not confirmed: the shopper saw that the order is being processed',
      'Nothing was ordered by the checkouts that were refused: these shoppers can order again once the system works again.',
      '1 order still waits: see Orders below.',
      `1 order not confirmed at once, and still waiting: ${order} of customer C-7, still waiting for accounting; the latest attempt made no call, because of earlier failures: connection refused`,
      'Calls were paused after 5 × connection refused: that counts calls, also those of other sections and in the background.',
      'Checkouts 1 refused; 1 cart known (1 with a total, together JMD 10.00); none was ordered since; customers: C-8',
      'Carts 2, 1 in an order that waits for accounting, 1 not ordered yet: cart_',
      'of customer C-7 (became an order: waiting for accounting)',
      'of customer C-8 (not ordered yet, JMD 10.00)',
      'Money waiting JMD 10.00 in 1 waiting order; about JMD 10.00 in 1 open cart',
      'these shoppers can order again once the system works again. Their carts are kept.',
    ])
    await recordRefusedCheckout(outages(), 'C-9')
    expectAll(await readText('/customers/acme/live/C-9'), [
      'Accounting may know how to reach the customer, under the number C-9. Whom to call about accounting of Acme Parts: Ines Brown',
    ])
    expectAll((await readIncident(at)).page, [
      'Began 21 Nov 2026, ',
      '2 checkouts refused with an error 1 checkout accepted but not confirmed',
      'Checkouts 2 refused; 2 carts known (2 with a total, together JMD 20.00)',
      'of customer C-9 (not ordered yet, JMD 10.00)',
      'JMD 10.00 in 1 waiting order; about JMD 20.00 in 2 open carts',
    ])
    await placeOrder(db, order, 2, 'SO-7', at + MINUTE_MS)
    await recover(refusingLedger)
    expectAll((await readIncident(at)).page, [
      `placed once in accounting as SO-7 at ${toClock(at + MINUTE_MS)}, 1 min after the checkout, at attempt 3 (1 attempt failed, and 1 made no call, because calls were paused)`,
    ])
    expect(await readText('/')).to.include('Accounting has confirmed all orders.')
  })

  it('says of an order that looks doubled that it was placed once, and how late', async () => {
    const { clock, readText, readIncident } = outages()
    const at = clock.ms
    const order = await recordDelayedOrder(outages())
    clock.ms = at + MINUTE_MS
    await outages().recover(delayingLedger)
    const { list, page } = await readIncident(at)
    expectSameDuration({ list, page }, 'between 2 s and 1 min')
    expectAll(page, [
      `1 order not confirmed at once, and confirmed since: ${order} of customer C-55, placed once in accounting as SO-1 at ${toClock(at + MINUTE_MS)}, 1 min after the checkout, at attempt 3`,
      '1 checkout accepted but not confirmed',
      'Checkouts none refused',
      'Money waiting none',
      `ended between ${toClock(at + 2_000)} (an attempt to place an order failed) and ${toClock(at + MINUTE_MS)} (an order was placed).`,
      'Carts 1, ordered since: cart_',
      'Nothing is urgent: accounting has worked since',
      ' at the latest.',
    ])
    expectAll(await readText(`/orders/${order}`), ['Number SO-1', 'accounting has this order only once'])
  })

  it('says of an order whose confirmation was lost that accounting reported it, and has it once', async () => {
    const { clock, readText, readIncident, recover } = outages()
    const at = clock.ms
    const order = await recordReportedOrder(outages())
    clock.ms = at + MINUTE_MS
    await recover(delayingLedger)
    expectAll((await readIncident(at)).page, [
      `1 order not confirmed at once, and confirmed since: ${order} of customer C-56, placed once in accounting as SO-2, as accounting reported at ${toClock(at + 1_000)}, 1 s after the checkout (1 attempt failed)`,
      '1 checkout accepted but not confirmed',
    ])
    expectAll(await readText(`/orders/${order}`), ['Number SO-2', 'accounting has this order only once'])
  })

  it('counts the checkouts that an outage refused, and what their carts are worth', async () => {
    const { db, clock, record, readIncident } = outages()
    const at = clock.ms
    const carts = await Promise.all(['C-1', 'C-2'].map((customer_id) => insertUnpricedCart(db, customer_id, at)))
    const { cart_id, version } = carts[0]!
    expect(await storeCartPricing(db, cart_id, version, { totals: { total: '120.50' } })).to.equal(true)
    const summary = 'no response in 700 ms'
    const sections = [traceFailure({ name: 'checkout', system: 'pricing', failure: 'timeout', summary }, at)]
    const refusal = { route: 'checkout', method: 'POST', url: '/v1/checkout', status: 504, code: 'downstream_timeout' }
    await record(
      [carts[0]!, carts[0]!, carts[1]!].map((cart) => ({
        ...{ ...refusal, sections, cartId: cart.cart_id, customerId: cart.customer_id },
      })),
    )
    const { page } = await readIncident(at)
    expectAll(page, [
      'Checkouts 3 refused; 2 carts known (1 with a total, together JMD 120.50); none was ordered since',
      'Money waiting about JMD 120.50 in 1 open cart; 1 open cart without a total',
      'of customer C-2 (not ordered yet, without a total)',
      '3 checkouts refused with an error',
    ])
  })
})
