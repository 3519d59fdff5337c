import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { Decimal } from 'decimal.js'
import type { Rpc } from '../../adapters/tryton/client/rpc.ts'
import type { ApiServerProcess } from '../crash/api-server-process.ts'
import { type CheckoutVisit, requestOnce, runCheckoutVisit, type Shopper } from '../crash/checkout-visit.ts'
import { createSeededRandom, type SeededRandom } from '../crash/seeded-random.ts'
import { exchange } from '../support/http-exchange.ts'
import { stores } from '../support/stores.ts'
import { connectClerk } from '../support/tryton/connect-tryton.ts'
import { createCreditCustomers } from './support/demo-records.ts'
import { requestFinalReply } from './support/final-reply.ts'
import { type ForecourtProcess, startForecourtProcess } from './support/forecourt-process.ts'
import { type LossyProxy, startLossyProxy } from './support/lossy-proxy.ts'
import {
  compareOrders,
  expectOneSalePerOrder,
  expectRepliesMatchOrders,
  type OrderComparison,
  waitForFinalOrders,
} from './support/order-comparison.ts'
import { createTemporaryDatabase } from './support/temporary-database.ts'
import { waitUntil } from './support/wait-until.ts'

const SEED = Number(process.env.SEED ?? 20_261_121)
/** The long form: `CHECKOUTS=2000 KILLS=200 npm run test:live`. */
const CHECKOUTS = Number(process.env.CHECKOUTS ?? 300)
const KILLS = Number(process.env.KILLS ?? 25)
/** Confirming locks whole tables in Tryton: more parallel orders wait for each other without more throughput. */
const SHOPPERS_AT_ONCE = 4
/** The maximum number of order steps between two kills: a pace relative to the machine. */
const LIVES_FOR = 16
const GOODS = ['PAD-001', 'OFL-001', 'OIL-001', 'BLB-001', 'DSC-001']
const SMALL_LIMIT = '60000'

/** The faults of a share of the steps: the response is lost, or already the request. */
const STEPS = /^model\.(sale\.sale\.(create|quote|confirm|process|write)|ir\.attachment\.create)$/
const LOST_OF_STEPS = 0.08
const LOST_OF_OTHERS = 0.01

describe('checkouts of killed processes on a real Tryton that loses responses', function () {
  this.timeout(7_200_000)
  // Several processes need a shared store.
  const store = stores().at(-1)!
  const processes = store.name === 'PostgreSQL' ? 2 : 1
  const random = createSeededRandom(SEED)
  let shop: ForecourtProcess
  let proxy: LossyProxy
  let desk: { rpc: Rpc; close(): Promise<void> }
  let customers: string[]
  let shoppers: Shopper[]
  let visits: CheckoutVisit[]
  let found: OrderComparison

  before(async () => {
    const own = await createTemporaryDatabase()
    desk = connectClerk(own.clerk)
    const [many, few] = [
      await createCreditCustomers(desk.rpc, 27),
      await createCreditCustomers(desk.rpc, 3, SMALL_LIMIT),
    ]
    customers = [...many, ...few]
    proxy = await startLossyProxy(own.storefront.address, losing(random))
    await store.open()
    const erp = { ...own.storefront, address: proxy.address }
    shop = await startForecourtProcess({ erp, processes, store: store.url() })
    shoppers = await Promise.all(
      customers.map(async (customerId) => ({ customerId, token: await shop.shopper(customerId) })),
    )
    const startedAt = performance.now()
    visits = await shopWhileKilling({ shop, proxy, shoppers, random })
    const seconds = (performance.now() - startedAt) / 1_000
    await waitForFinalOrders(shop)
    proxy.fate = () => 'well'
    await waitUntil(
      'all circuits are closed',
      () => isWell(shop),
      () => describeHealth(shop),
    )
    found = await compareOrders(shop, desk.rpc, customers)
    tell({ seconds, visits, proxy, shop, found, all: (performance.now() - startedAt) / 1_000 })
  })
  after(async () => {
    await shop?.[Symbol.asyncDispose]()
    await proxy?.[Symbol.asyncDispose]()
    await desk?.close()
    await store.close()
  })

  it(`were ${CHECKOUTS} or more, with ${KILLS} kills or more, and most became orders`, () => {
    expect(visits.length).to.be.at.least(CHECKOUTS)
    expect(killsOf(shop)).to.be.at.least(KILLS)
    expect(proxy.lost).to.be.above(0)
    expect(found.ordered.length).to.be.above(CHECKOUTS / 2)
  })

  it('left exactly one sale per order, with one shipment and one invoice, and no other sale', () => {
    expectOneSalePerOrder(found)
  })

  it('left at most one order per cart, the same one in every response', () => {
    expectRepliesMatchOrders(found, visits)
  })

  it('shows every shopper their orders of Tryton', async () => {
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
    const events = await shop.db
      .selectFrom('events')
      .select('resource_id')
      .where('type', '=', 'order.confirmed')
      .execute()
    const ordered = found.ordered.map(({ order_id }) => order_id)
    expect(events.map(({ resource_id }) => resource_id).toSorted()).to.deep.equal(ordered.toSorted())
  })

  it('repeats the response of an idempotency key byte for byte', async () => {
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
})

const killsOf = ({ servers }: { servers: readonly ApiServerProcess[] }) =>
  servers.reduce((sum, { kills }) => sum + kills, 0)

function losing(random: SeededRandom): LossyProxy['fate'] {
  return (method) => {
    const chance = random.next()
    const share = STEPS.test(method) ? LOST_OF_STEPS : LOST_OF_OTHERS
    if (chance >= share) return 'well'
    return chance < share / 4 ? 'not sent' : 'answer lost'
  }
}

async function shopWhileKilling(of: {
  shop: ForecourtProcess
  proxy: LossyProxy
  shoppers: Shopper[]
  random: SeededRandom
}): Promise<CheckoutVisit[]> {
  const { shop, proxy, shoppers, random } = of
  const { servers } = shop
  const visits: CheckoutVisit[] = []
  const counter = { address: () => random.of(servers).address, key: shop.keys.secret, random, skus: GOODS }
  let done = false

  async function shopping(): Promise<void> {
    while (visits.length < CHECKOUTS || killsOf(shop) < KILLS)
      visits.push(await runCheckoutVisit(counter, random.of(shoppers)))
  }
  async function killing(): Promise<void> {
    while (!done) {
      await steps(proxy, random.between(2, LIVES_FOR), () => done)
      // Half of the kills happen while Tryton works on a step, or just after it responded.
      if (random.next() < 0.5) await steps(proxy, 1, () => done)
      await pause(random.between(0, 400))
      if (!done) await random.of(servers).kill()
    }
  }

  const beside = killing()
  try {
    const shopped = Promise.all(Array.from({ length: SHOPPERS_AT_ONCE }, shopping))
    await Promise.race([shopped, beside.then(() => shopped)])
  } finally {
    done = true
    await beside
  }
  return visits
}

/** Waits until this many more order steps have reached Tryton. */
async function steps({ calls }: LossyProxy, more: number, over: () => boolean): Promise<void> {
  const count = () => (calls.get('model.sale.sale.create') ?? 0) + (calls.get('model.sale.sale.confirm') ?? 0)
  const end = count() + more
  while (count() < end && !over()) await pause(2)
}

const readHealth = ({ servers }: ForecourtProcess) =>
  Promise.all(servers.map(({ address }) => exchange(address, '/health')))

const isWell = async (shop: ForecourtProcess) => (await readHealth(shop)).every(({ body }) => body.status === 'ok')

const describeHealth = async (shop: ForecourtProcess) =>
  JSON.stringify((await readHealth(shop)).map(({ body }) => body.checks))

function tell(of: {
  seconds: number
  all: number
  visits: CheckoutVisit[]
  proxy: LossyProxy
  shop: ForecourtProcess
  found: OrderComparison
}): void {
  const { seconds, all, visits, proxy, shop, found } = of
  const { ordered, rows } = found
  process.stdout.write(
    `      ${visits.length} checkouts in ${seconds.toFixed(0)} s (${(visits.length / seconds).toFixed(2)} a second, settled after ${all.toFixed(0)} s) ` +
      `by ${shop.servers.length} process(es) with ${killsOf(shop)} kills and ${proxy.lost} lost exchanges: ` +
      `${ordered.length} orders, ${rows.length - ordered.length} rejected\n`,
  )
}
