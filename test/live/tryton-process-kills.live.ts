import { expect } from 'chai'
import type { Rpc } from '../../adapters/tryton/client/rpc.ts'
import type { CheckoutVisit, Shopper } from '../crash/checkout-visit.ts'
import { createSeededRandom } from '../crash/seeded-random.ts'
import { stores } from '../support/stores.ts'
import { connectClerk } from '../support/tryton/connect-tryton.ts'
import { describeCheckoutGuarantees } from './support/checkout-guarantee-tests.ts'
import { createCreditCustomers } from './support/create-tryton-records.ts'
import { type ForecourtProcess, startForecourtProcess } from './support/forecourt-process.ts'
import { type LossyProxy, startLossyProxy } from './support/lossy-proxy.ts'
import { compareOrders, expectOneSalePerOrder, type OrderComparison } from './support/order-comparison.ts'
import {
  describeRun,
  killsOf,
  loseExchanges,
  shopWhileKilling,
  waitForClosedCircuits,
} from './support/shop-while-killing.ts'
import { createTemporaryDatabase } from './support/temporary-tryton-database.ts'
import { waitForFinalOrders } from './support/wait-for-final-orders.ts'

const SEED = Number(process.env.SEED ?? 20_261_121)
/** The long form: `CHECKOUTS=2000 KILLS=200 npm run test:live`. */
const CHECKOUTS = Number(process.env.CHECKOUTS ?? 300)
const KILLS = Number(process.env.KILLS ?? 25)
/** Confirming locks whole tables in Tryton: more parallel orders wait for each other without more throughput. */
const SHOPPERS_AT_ONCE = 4
const LIVES_FOR = 16
const GOODS = ['PAD-001', 'OFL-001', 'OIL-001', 'BLB-001', 'DSC-001']
const SMALL_LIMIT = '60000'

/** The calls that write an order. */
const STEPS = /^model\.(sale\.sale\.(create|quote|confirm|process|write)|ir\.attachment\.create)$/
const STEP_METHODS = ['model.sale.sale.create', 'model.sale.sale.confirm']

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
    proxy = await startLossyProxy(
      own.storefront.address,
      loseExchanges(random, (method) => STEPS.test(method)),
    )
    await store.open()
    const erp = { ...own.storefront, address: proxy.address }
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
      stepsBetweenKills: LIVES_FOR,
    })
    const seconds = (performance.now() - startedAt) / 1_000
    await waitForFinalOrders(shop)
    proxy.fate = () => 'well'
    await waitForClosedCircuits(shop)
    found = await compareOrders(shop, desk.rpc, customers)
    const settledSeconds = (performance.now() - startedAt) / 1_000
    process.stdout.write(describeRun({ seconds, settledSeconds, visits, proxy, shop, found }))
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

  describeCheckoutGuarantees(() => ({ shop, shoppers, visits, found, random }))
})
