import { expect } from 'chai'
import { Decimal } from 'decimal.js'
import { type CheckoutVisit, requestOnce, type Shopper } from '../../crash/checkout-visit.ts'
import type { SeededRandom } from '../../crash/seeded-random.ts'
import { requestFinalReply } from './final-reply.ts'
import type { ForecourtProcess } from './forecourt-process.ts'
import { expectRepliesMatchOrders, type OrderComparison } from './order-comparison.ts'

/** What a run of checkouts left behind. */
interface FinishedRun {
  shop: ForecourtProcess
  shoppers: readonly Shopper[]
  visits: readonly CheckoutVisit[]
  found: OrderComparison
  random: SeededRandom
}

/** The tests of what shoppers were told, whichever processes were killed. `read` is called when the run is over. */
export function describeCheckoutGuarantees(read: () => FinishedRun): void {
  it('left at most one order per cart, the same one in every response', () => {
    const { found, visits } = read()
    expectRepliesMatchOrders(found, visits)
  })

  it('shows every shopper their orders of the back office', async () => {
    const { shop, shoppers, found } = read()
    for (const { customerId, token } of shoppers) {
      const { status, body, text } = await requestFinalReply(() =>
        shop.ask('GET', '/v1/orders?limit=100&status=CONFIRMED', { token }),
      )
      expect(status, text).to.equal(200)
      const shown = body.data.map(({ order_id }: { order_id: string }) => order_id)
      const theirs = found.standing.filter(({ party }) => String(party) === customerId)
      expect(shown.toSorted()).to.deep.equal(theirs.map(({ web_id }) => web_id).toSorted())
    }
  })

  it('counts the credit of each order once, and never exceeded a limit', async () => {
    const { shop, shoppers, found } = read()
    for (const { customerId, token } of shoppers) {
      const { status, body, text } = await requestFinalReply(() => shop.ask('GET', '/v1/me/credit-status', { token }))
      expect(status, text).to.equal(200)
      const theirs = found.standing.filter(({ party }) => String(party) === customerId)
      const owed = theirs.reduce((sum, { total_amount }) => sum.plus(total_amount.decimal), new Decimal(0))
      const left = new Decimal(body.credit_limit.amount).minus(owed)
      expect(body.available_credit.amount, customerId).to.equal(left.toFixed(2))
      expect(left.gte(0), `${customerId} owes ${owed}`).to.equal(true)
    }
  })

  it('published one event per order', async () => {
    const { shop, found } = read()
    const events = await shop.db
      .selectFrom('events')
      .select('resource_id')
      .where('type', '=', 'order.confirmed')
      .execute()
    const ordered = found.ordered.map(({ order_id }) => order_id)
    expect(events.map(({ resource_id }) => resource_id).toSorted()).to.deep.equal(ordered.toSorted())
  })

  it('repeats the response of an idempotency key byte for byte', async () => {
    const { shop, visits, random } = read()
    const again = { address: () => shop.servers[0]!.address, key: shop.keys.secret, random }
    const keyed = visits.flatMap(({ shopper, cartId, checkouts }) =>
      checkouts.flatMap((answer) =>
        answer.key && answer.status === 200 && JSON.parse(answer.text).state !== 'over_credit_limit'
          ? [{ ...answer, shopper, cartId }]
          : [],
      ),
    )
    expect(keyed.length).to.be.above(0)
    for (const { shopper, cartId, key, text } of keyed.slice(0, 60)) {
      const told = await requestOnce(again, shopper, 'POST', '/v1/checkout', { cart_id: cartId }, key)
      expect(told).to.deep.equal({ status: 200, body: text, replayed: true })
    }
  })
}
