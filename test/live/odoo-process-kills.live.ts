import { expect } from 'chai'
import type { Rpc } from '../../adapters/odoo/client/rpc.ts'
import type { CheckoutVisit, Shopper } from '../crash/checkout-visit.ts'
import { createSeededRandom } from '../crash/seeded-random.ts'
import { connectOdooClerk } from '../support/odoo/connect-odoo.ts'
import { stores } from '../support/stores.ts'
import { describeCheckoutGuarantees } from './support/checkout-guarantee-tests.ts'
import { createOdooCustomers } from './support/create-odoo-customers.ts'
import { type ForecourtProcess, startForecourtProcess } from './support/forecourt-process.ts'
import { type LossyProxy, startLossyProxy } from './support/lossy-proxy.ts'
import { odooAccess } from './support/odoo-environment.ts'
import { createOdooKiller } from './support/odoo-killer.ts'
import { compareOdooOrders } from './support/odoo-order-comparison.ts'
import { expectOneSalePerOrder, type OrderComparison } from './support/order-comparison.ts'
import {
  describeRun,
  killsOf,
  loseExchanges,
  shopWhileKilling,
  waitForClosedCircuits,
} from './support/shop-while-killing.ts'
import { waitForFinalOrders } from './support/wait-for-final-orders.ts'

const SEED = Number(process.env.SEED ?? 20_261_125)
/** The long form: `CHECKOUTS=300 KILLS=25 npm run test:live:odoo`. */
const CHECKOUTS = Number(process.env.CHECKOUTS ?? 30)
const KILLS = Number(process.env.KILLS ?? 3)
/** Odoo has two workers. */
const SHOPPERS_AT_ONCE = 2
/** Odoo loads its registry for seconds after each kill of a worker. */
const STEPS_BETWEEN_KILLS = 40
/** Of workers, and of connections: a third of the kills each. */
const LEAST_KILLS_ELSEWHERE = Math.ceil(KILLS / 3)
const GOODS = ['PAD-001', 'OFL-001', 'OIL-002', 'GEN-001', 'GEN-002']
const LIMIT = 5_000_000
const SMALL_LIMIT = 60_000
/** The calls that write an order. */
const STEPS = /^(sale\.order|ir\.attachment|res\.partner)\/(load|write|action_confirm|action_cancel)$/
/** An order takes five of them. With more losses, circuits are open most of the time. */
const LOST_OF_STEPS = 0.03
const STEP_METHODS = ['sale.order/load', 'sale.order/action_confirm']

/** Kills Odoo too, where `ODOO_PID_FILE` and `ODOO_POSTGRES` say what: see support/odoo-environment.ts. */
describe('checkouts of killed processes on a real Odoo that loses responses', function () {
  this.timeout(7_200_000)
  // Several processes need a shared store.
  const store = stores().at(-1)!
  const random = createSeededRandom(SEED)
  let shop: ForecourtProcess
  let proxy: LossyProxy
  let desk: { rpc: Rpc; close(): Promise<void> }
  let killer: Awaited<ReturnType<typeof createOdooKiller>>
  let shoppers: Shopper[]
  let visits: CheckoutVisit[]
  let found: OrderComparison

  before(async () => {
    const { storefront, clerk } = odooAccess()
    desk = connectOdooClerk(clerk)
    killer = await createOdooKiller(random)
    const customers = [
      ...(await createOdooCustomers(desk.rpc, 27, LIMIT)),
      ...(await createOdooCustomers(desk.rpc, 3, SMALL_LIMIT)),
    ]
    proxy = await startLossyProxy(
      storefront.address,
      loseExchanges(random, (method) => STEPS.test(method), LOST_OF_STEPS),
    )
    await store.open()
    const erp = { ...storefront, address: proxy.address }
    const processes = store.name === 'PostgreSQL' ? 2 : 1
    shop = await startForecourtProcess({ erp, processes, store: store.url() })
    shoppers = await Promise.all(
      customers.map(async (customerId) => ({ customerId, token: await shop.shopper(customerId) })),
    )
    const startedAt = performance.now()
    visits = await shopWhileKilling({
      shop,
      proxy,
      shoppers,
      random,
      skus: GOODS,
      checkouts: CHECKOUTS,
      kills: KILLS,
      shoppersAtOnce: SHOPPERS_AT_ONCE,
      stepMethods: STEP_METHODS,
      stepsBetweenKills: STEPS_BETWEEN_KILLS,
      killElsewhere: killer.kill,
      isElsewhereDone: () => killer.hasKilled(LEAST_KILLS_ELSEWHERE),
    })
    const seconds = (performance.now() - startedAt) / 1_000
    await waitForFinalOrders(shop)
    proxy.fate = () => 'well'
    await waitForClosedCircuits(shop)
    found = await compareOdooOrders(shop, desk.rpc, customers)
    const settledSeconds = (performance.now() - startedAt) / 1_000
    process.stdout.write(describeRun({ seconds, settledSeconds, visits, proxy, shop, found }))
    const { workers, connections, writing } = killer.killed
    process.stdout.write(
      `      and ${workers} kills of workers of Odoo and ${connections} of connections to PostgreSQL, ${writing} of them in a transaction that had written\n`,
    )
  })
  after(async () => {
    await shop?.[Symbol.asyncDispose]()
    await proxy?.[Symbol.asyncDispose]()
    await desk?.close()
    await killer?.close()
    await store.close()
  })

  it(`were ${CHECKOUTS} or more, with ${KILLS} kills or more, and most became orders`, () => {
    expect(visits.length).to.be.at.least(CHECKOUTS)
    expect(killsOf(shop)).to.be.at.least(KILLS)
    expect(killer.hasKilled(LEAST_KILLS_ELSEWHERE), JSON.stringify(killer.killed)).to.equal(true)
    expect(proxy.lost).to.be.above(0)
    expect(found.ordered.length).to.be.above(CHECKOUTS / 2)
  })

  it('left exactly one sale order per order, with one delivery, and no other one', () => {
    // Staff make the invoices.
    expectOneSalePerOrder(found, { invoiceCount: 0 })
  })

  describeCheckoutGuarantees(() => ({ shop, shoppers, visits, found, random }))
})
