import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { Decimal } from 'decimal.js'
import {
  listLedgerOrders,
  readLedgerCredit,
  setDeliveryPrice,
} from '../../src/sandbox/control/accounting-control-client.ts'
import type { Fault } from '../../src/sandbox/control/fault-injection.ts'
import type { Database } from '../../src/storage/database.ts'
import { issueApiKey } from '../../src/storage/keys/api-keys.ts'
import { type SandboxSystems, startSandboxSystems, stopSandboxSystems } from '../support/sandbox-systems.ts'
import { stores } from '../support/stores.ts'
import { type ApiServerProcess, startApiServer, writeConfig } from './api-server-process.ts'
import {
  type CheckoutVisit,
  createShopperSession,
  requestOnce,
  runCheckoutVisit,
  type Shop,
  type Shopper,
} from './checkout-visit.ts'
import { createSeededRandom, type SeededRandom } from './seeded-random.ts'

const SEED = Number(process.env.SEED ?? 20_261_121)
/** The long form: `CHECKOUTS=5000 KILLS=400 npm run test:crash`. */
const CHECKOUTS = Number(process.env.CHECKOUTS ?? 300)
const KILLS = Number(process.env.KILLS ?? 40)
/** Few enough for a slow machine to serve each checkout within its deadline. */
const SHOPPERS_AT_ONCE = 12
const SETTLE_TIMEOUT_MS = 1_200_000
/** The maximum number of successful responses between two kills of a process: the pace follows the machine. */
const MAX_RESPONSES_PER_LIFE = 60

/** Customers with much and with little credit, and cash, exempt and contract customers. */
const CUSTOMERS = ['C-1001', 'C-1002', 'C-1003', 'C-1005', 'C-1008', 'C-1009', 'C-1012']

const deliveries = [{}, { delivery_option_id: 'STANDARD' }, { delivery_option_id: 'BRANCH', pickup_place_id: 'MBJ' }]
const STANDARD_PRICES = ['850.00', '850.00', '900.00']
/** Shoppers go on until each of these was chosen and paid. */
const EXPECTED_DELIVERIES = ['undefined 0.00', 'STANDARD 850.00', 'STANDARD 900.00', 'BRANCH 0.00']

const faults: readonly Fault[] = [
  {},
  {},
  {},
  {},
  { drop_after: 0.4, only: ['placeOrder'] },
  { late_ms: 3_500, late_rate: 0.3, only: ['placeOrder'] },
  { late_ms: 60, late_rate: 1, only: ['placeOrder'] },
  { hang: true, only: ['placeOrder'] },
  { error_rate: 0.3, status: 503 },
]

for (const store of stores()) {
  for (const processes of store.name === 'SQLite' ? [1] : [1, 2]) {
    describe(`checkouts on ${store.name} in ${processes} process${processes > 1 ? 'es' : ''} killed repeatedly`, function () {
      this.timeout(3_600_000)
      const random = createSeededRandom(SEED + processes)
      let directory: string
      let systems: SandboxSystems
      let db: Database
      let servers: ApiServerProcess[]
      let visits: CheckoutVisit[]
      let key: string

      before(async () => {
        directory = await mkdtemp(join(tmpdir(), 'forecourt-crash-'))
        systems = await startSandboxSystems(directory)
        db = await store.open()
        const config = await writeConfig(directory, store.url(), systems)
        key = (await issueApiKey(db, { merchant: 'acme', kind: 'secret', mode: 'sandbox', rate: 1_000_000 })).key
        const shoppers = await Promise.all(CUSTOMERS.map((customerId) => createShopperSession(db, customerId)))
        servers = await Promise.all(Array.from({ length: processes }, () => startApiServer(config, directory)))
        visits = await shopWhileKilling({ systems, servers, shoppers, key, random })
        await waitUntilSettled(db)
      })
      after(async () => {
        await Promise.all(servers?.map((server) => server.stop()) ?? [])
        await store.close()
        if (systems) await stopSandboxSystems(systems)
        await rm(directory, { recursive: true, force: true, maxRetries: 10 })
      })

      it(`were ${CHECKOUTS} or more, through ${KILLS} or more kills`, () => {
        expect(visits.length).to.be.at.least(CHECKOUTS)
        expect(servers.reduce((sum, server) => sum + server.kills, 0)).to.be.at.least(KILLS)
        const placed = visits.filter(isOrdered).length
        expect(placed, 'the run places too few orders').to.be.above(CHECKOUTS / 2)
      })

      it('return the same order to every tab of a cart', () => {
        for (const { cartId, checkouts } of visits) {
          const orderIds = new Set(
            checkouts.flatMap(({ status, text }) => (status === 200 ? (JSON.parse(text).order_id ?? []) : [])),
          )
          expect(orderIds.size, cartId).to.be.at.most(1)
        }
      })

      it('create each order once in the ledger, and only orders that were reported', async () => {
        const inLedger = await ledgerReferences(systems)
        expect(new Set(inLedger).size).to.equal(inLedger.length)
        const rows = await db.selectFrom('orders').select(['order_id', 'cart_id', 'status']).execute()
        const confirmed = rows.filter(({ status }) => status === 'CONFIRMED').map(({ order_id }) => order_id)
        expect(inLedger.toSorted()).to.deep.equal(confirmed.toSorted())
        const ordered = new Set(rows.filter(({ status }) => status === 'CONFIRMED').map(({ cart_id }) => cart_id))
        for (const visit of visits) {
          const rejected = rows.some(({ cart_id, status }) => cart_id === visit.cartId && status === 'REJECTED')
          expect(ordered.has(visit.cartId), JSON.stringify(visit.checkouts)).to.equal(isOrdered(visit) && !rejected)
        }
      })

      it('place the delivery that was chosen, at the price that was reported', async () => {
        const inLedger = await listPlacedOrders(systems)
        const orders = new Map(inLedger.map((order) => [order.reference!, order]))
        const used = new Set<string>()
        for (const { input, checkouts } of visits)
          for (const { status, text } of checkouts) {
            const { order_id, totals, order: shown } = status === 200 ? JSON.parse(text) : { order_id: null }
            const order = orders.get(order_id)
            if (!order) continue
            const { delivery_option_id, pickup_place } = order.delivery ?? { pickup_place: null }
            expect(delivery_option_id, text).to.equal(input.delivery_option_id)
            expect(pickup_place?.pickup_place_id, text).to.equal(input.pickup_place_id)
            expect(shown.delivery ?? undefined, text).to.deep.equal(order.delivery)
            expect(order.totals.shipping_total, text).to.equal(totals.shipping_total.amount)
            expect(order.totals.total, text).to.equal(totals.total.amount)
            used.add(`${delivery_option_id} ${order.totals.shipping_total}`)
          }
        expect([...used]).to.include.members(EXPECTED_DELIVERIES)
      })

      it('create one order.confirmed event for each order', async () => {
        const events = await db
          .selectFrom('events')
          .select('resource_id')
          .where('type', '=', 'order.confirmed')
          .execute()
        const inLedger = await ledgerReferences(systems)
        expect(events.map(({ resource_id }) => resource_id).toSorted()).to.deep.equal(inLedger.toSorted())
      })

      it('leave no pending order', async () => {
        const pending = await db.selectFrom('orders').select('order_id').where('status', '=', 'PENDING').execute()
        expect(pending).to.deep.equal([])
      })

      it('never exceed a customer’s credit limit', async () => {
        for (const customer of CUSTOMERS) {
          const credit = await readLedgerCredit(systems.accounting.controlAddress, 'acme', customer)
          if (!credit.enabled) continue
          const used = new Decimal(credit.balance ?? 0).plus(credit.open_orders ?? 0)
          const before = used.minus(await orderedOnCredit(systems, customer))
          // A customer may have been above the limit before.
          expect(
            used.lte(Decimal.max(credit.credit_limit ?? 0, before)),
            `${customer} ${JSON.stringify(credit)}`,
          ).to.equal(true)
        }
      })

      it('replay the same bytes for a repeated idempotency key', async () => {
        const shop = { address: () => servers[0]!.address, key, random }
        const keyed = visits.flatMap(({ shopper, input, checkouts }) =>
          checkouts.flatMap((answer) =>
            answer.key && answer.status === 200 && isFinal(answer.text) ? [{ ...answer, shopper, input }] : [],
          ),
        )
        expect(keyed.length).to.be.above(0)
        for (const { shopper, input, key: sent, text } of keyed.slice(0, 100)) {
          const response = await requestOnce(shop, shopper, 'POST', '/v1/checkout', input, sent)
          expect(response).to.deep.equal({ status: 200, body: text, replayed: true })
        }
      })
    })
  }
}

const isFinal = (text: string) => JSON.parse(text).state !== 'over_credit_limit'
const isOrdered = ({ checkouts }: CheckoutVisit) =>
  checkouts.some(({ status, text }) => status === 200 && JSON.parse(text).order_id !== null && isFinal(text))

/** The option and the price of each delivery that a visit was told of, with an order that is placed. */
const listPlacedDeliveries = ({ input, checkouts }: CheckoutVisit) =>
  checkouts
    .filter(({ status }) => status === 200)
    .map(({ text }) => JSON.parse(text))
    .filter(({ state }) => state === 'placed')
    .map(({ totals }) => `${input.delivery_option_id} ${totals.shipping_total.amount}`)

async function shopWhileKilling(of: {
  systems: SandboxSystems
  servers: ApiServerProcess[]
  shoppers: Shopper[]
  key: string
  random: SeededRandom
}): Promise<CheckoutVisit[]> {
  const { systems, servers, shoppers, key, random } = of
  const visits: CheckoutVisit[] = []
  let done = false
  const kills = () => servers.reduce((sum, server) => sum + server.kills, 0)
  let successCount = 0
  const shop: Shop = {
    address: () => random.of(servers).address,
    key,
    random,
    deliveries,
    onAttempt: ({ status }) => {
      if (status >= 200 && status < 300) successCount += 1
    },
  }

  const missing = new Set(EXPECTED_DELIVERIES)
  async function runShopper(): Promise<void> {
    while (visits.length < CHECKOUTS || kills() < KILLS || missing.size > 0) {
      const visit = await runCheckoutVisit(shop, random.of(shoppers))
      visits.push(visit)
      for (const delivery of listPlacedDeliveries(visit)) missing.delete(delivery)
    }
  }
  async function runKiller(server: ApiServerProcess): Promise<void> {
    while (!done) {
      const end = successCount + random.between(2, MAX_RESPONSES_PER_LIFE)
      while (successCount < end && !done) await pause(1)
      // Half of the kills come right after a call to the ledger: between its response and the commit.
      if (random.next() < 0.5)
        await waitForPlaceOrder(systems, () => done || successCount > end + MAX_RESPONSES_PER_LIFE)
      if (!done) await server.kill()
    }
  }
  async function runFaults(): Promise<void> {
    while (!done) {
      await systems.accounting.setFault(random.of(faults))
      await setDeliveryPrice(systems.accounting.controlAddress, 'acme', 'STANDARD', random.of(STANDARD_PRICES))
      await pause(random.between(200, 1_200))
    }
    await systems.accounting.setFault({})
  }

  const background = Promise.all([...servers.map(runKiller), runFaults()])
  try {
    const allVisits = Promise.all(Array.from({ length: SHOPPERS_AT_ONCE }, runShopper))
    // A process that cannot be restarted fails the run at once.
    await Promise.race([allVisits, background.then(() => allVisits)])
  } finally {
    done = true
    await background
  }
  return visits
}

async function waitForPlaceOrder({ accounting }: SandboxSystems, over: () => boolean): Promise<void> {
  const before = accounting.calls.placeOrder ?? 0
  while ((accounting.calls.placeOrder ?? 0) === before && !over()) await pause(1)
}

async function waitUntilSettled(db: Database): Promise<void> {
  const end = performance.now() + SETTLE_TIMEOUT_MS
  for (;;) {
    const pending = await db.selectFrom('orders').select('order_id').where('status', '=', 'PENDING').execute()
    if (pending.length === 0 || performance.now() > end) return
    await pause(250)
  }
}

/** The orders of this test; those of the fixtures have other references, or none. */
async function listPlacedOrders({ accounting }: SandboxSystems) {
  const orders = await listLedgerOrders(accounting.controlAddress, 'acme')
  return orders.filter(({ reference }) => reference?.startsWith('ord_'))
}

const ledgerReferences = async (systems: SandboxSystems) =>
  (await listPlacedOrders(systems)).map(({ reference }) => reference!)

async function orderedOnCredit(systems: SandboxSystems, customer: string): Promise<Decimal> {
  const orders = (await listPlacedOrders(systems)).filter(
    (order) => order.customer_id === customer && order.payment_method === 'CREDIT_TERMS',
  )
  return orders.reduce((sum, { totals }) => sum.plus(totals.total), new Decimal(0))
}
