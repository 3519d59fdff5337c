import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { Decimal } from 'decimal.js'
import { listLedgerOrders, readLedgerCredit } from '../../src/sandbox/control/control-client.ts'
import type { Fault } from '../../src/sandbox/control/fault-injection.ts'
import type { Database } from '../../src/storage/database.ts'
import { randomBase62, sha256Hex } from '../../src/storage/keys/api-key-format.ts'
import { issueApiKey } from '../../src/storage/keys/api-keys.ts'
import { type SandboxSystems, startSandboxSystems, stopSandboxSystems } from '../support/sandbox-systems.ts'
import { stores } from '../support/stores.ts'
import { type ApiServerProcess, startApiServer, writeConfig } from './api-server-process.ts'
import { type CheckoutVisit, requestOnce, runCheckoutVisit, type Shop, type Shopper } from './checkout-visit.ts'
import { createSeededRandom, type SeededRandom } from './seeded-random.ts'

const SEED = Number(process.env.SEED ?? 20_261_121)
/** The long form: `CHECKOUTS=5000 KILLS=400 npm run test:crash`. */
const CHECKOUTS = Number(process.env.CHECKOUTS ?? 300)
const KILLS = Number(process.env.KILLS ?? 40)
/** So few that a slow machine still serves each of them within the time that a checkout has. */
const SHOPPERS_AT_ONCE = 12
const SETTLED_WITHIN_MS = 1_200_000
/** Good answers between one kill of a process and the next, at the most: a pace that goes with the machine's. */
const LIVES_FOR = 60

/** With plenty of credit, with little, paying cash, exempt, on a contract. */
const CUSTOMERS = ['C-1001', 'C-1002', 'C-1003', 'C-1005', 'C-1008', 'C-1009', 'C-1012']

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
    describe(`checkouts on ${store.name} in ${processes} process${processes > 1 ? 'es' : ''} that ${processes > 1 ? 'are' : 'is'} killed all the time`, function () {
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
        const shoppers = await Promise.all(CUSTOMERS.map((customerId) => signedIn(db, customerId)))
        servers = await Promise.all(Array.from({ length: processes }, () => startApiServer(config, directory)))
        visits = await shopWhileKilling({ systems, servers, shoppers, key, random })
        await settled(db)
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
        expect(placed, 'a run in which nothing is ordered shows nothing').to.be.above(CHECKOUTS / 2)
      })

      it('told every tab of a cart of the same order', () => {
        for (const { cartId, answers } of visits) {
          const told = new Set(
            answers.flatMap(({ status, text }) => (status === 200 ? (JSON.parse(text).order_id ?? []) : [])),
          )
          expect(told.size, cartId).to.be.at.most(1)
        }
      })

      it('made each order once in the ledger, and none that nobody was told of', async () => {
        const inLedger = await ledgerReferences(systems)
        expect(new Set(inLedger).size).to.equal(inLedger.length)
        const rows = await db.selectFrom('orders').select(['order_id', 'cart_id', 'status']).execute()
        const confirmed = rows.filter(({ status }) => status === 'CONFIRMED').map(({ order_id }) => order_id)
        expect(inLedger.toSorted()).to.deep.equal(confirmed.toSorted())
        const ordered = new Set(rows.filter(({ status }) => status === 'CONFIRMED').map(({ cart_id }) => cart_id))
        for (const seen of visits) {
          const rejected = rows.some(({ cart_id, status }) => cart_id === seen.cartId && status === 'REJECTED')
          expect(ordered.has(seen.cartId), JSON.stringify(seen.answers)).to.equal(isOrdered(seen) && !rejected)
        }
      })

      it('left one order.confirmed for each order', async () => {
        const events = await db
          .selectFrom('events')
          .select('resource_id')
          .where('type', '=', 'order.confirmed')
          .execute()
        const inLedger = await ledgerReferences(systems)
        expect(events.map(({ resource_id }) => resource_id).toSorted()).to.deep.equal(inLedger.toSorted())
      })

      it('left nothing in processing', async () => {
        const pending = await db.selectFrom('orders').select('order_id').where('status', '=', 'PENDING').execute()
        expect(pending).to.deep.equal([])
      })

      it('never lent more than a customer’s limit', async () => {
        for (const customer of CUSTOMERS) {
          const credit = await readLedgerCredit(systems.accounting.controlAddress, 'acme', customer)
          if (!credit.enabled) continue
          const used = new Decimal(credit.balance ?? 0).plus(credit.open_orders ?? 0)
          const before = used.minus(await orderedOnCredit(systems, customer))
          // A customer may have stood above the limit before.
          expect(
            used.lte(Decimal.max(credit.credit_limit ?? 0, before)),
            `${customer} ${JSON.stringify(credit)}`,
          ).to.equal(true)
        }
      })

      it('answers a key that is sent again with the same bytes', async () => {
        const shop = { address: () => servers[0]!.address, key, random }
        const keyed = visits.flatMap(({ shopper, cartId, answers }) =>
          answers.flatMap((answer) =>
            answer.key && answer.status === 200 && isFinal(answer.text) ? [{ ...answer, shopper, cartId }] : [],
          ),
        )
        expect(keyed.length).to.be.above(0)
        for (const { shopper, cartId, key: sent, text } of keyed.slice(0, 100)) {
          const told = await requestOnce(shop, shopper, 'POST', '/v1/checkout', { cart_id: cartId }, sent)
          expect(told).to.deep.equal({ status: 200, body: text, replayed: true })
        }
      })
    })
  }
}

const isFinal = (text: string) => JSON.parse(text).state !== 'over_credit_limit'
const isOrdered = ({ answers }: CheckoutVisit) =>
  answers.some(({ status, text }) => status === 200 && JSON.parse(text).order_id !== null && isFinal(text))

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
  let answered = 0
  const shop: Shop = {
    ...{ address: () => random.of(servers).address, key, random },
    seen: ({ status }) => {
      if (status >= 200 && status < 300) answered += 1
    },
  }

  async function shopping(): Promise<void> {
    while (visits.length < CHECKOUTS || kills() < KILLS) visits.push(await runCheckoutVisit(shop, random.of(shoppers)))
  }
  async function killing(server: ApiServerProcess): Promise<void> {
    while (!done) {
      const end = answered + random.between(2, LIVES_FOR)
      while (answered < end && !done) await pause(1)
      // Half of them at once after the ledger was asked: between its answer and the commit.
      if (random.next() < 0.5) await asked(systems, () => done || answered > end + LIVES_FOR)
      if (!done) await server.kill()
    }
  }
  async function spoiling(): Promise<void> {
    while (!done) {
      await systems.accounting.setFault(random.of(faults))
      await pause(random.between(200, 1_200))
    }
    await systems.accounting.setFault({})
  }

  const beside = Promise.all([...servers.map(killing), spoiling()])
  try {
    const shopped = Promise.all(Array.from({ length: SHOPPERS_AT_ONCE }, shopping))
    // A process that cannot be started again ends it at once.
    await Promise.race([shopped, beside.then(() => shopped)])
  } finally {
    done = true
    await beside
  }
  return visits
}

async function asked({ accounting }: SandboxSystems, over: () => boolean): Promise<void> {
  const before = accounting.calls.placeOrder ?? 0
  while ((accounting.calls.placeOrder ?? 0) === before && !over()) await pause(1)
}

async function signedIn(db: Database, customerId: string): Promise<Shopper> {
  const token = randomBase62(43)
  const times = { created_at: '2026-01-01T00:00:00.000Z', expires_at: '2999-01-01T00:00:00.000Z' }
  const row = {
    digest: sha256Hex(token),
    tenant_id: 'acme',
    mode: 'sandbox' as const,
    customer_id: customerId,
    ...times,
  }
  await db.insertInto('shopper_sessions').values(row).execute()
  return { customerId, token }
}

async function settled(db: Database): Promise<void> {
  const end = performance.now() + SETTLED_WITHIN_MS
  for (;;) {
    const pending = await db.selectFrom('orders').select('order_id').where('status', '=', 'PENDING').execute()
    if (pending.length === 0 || performance.now() > end) return
    await pause(250)
  }
}

/** The orders that were placed here; the fixtures' own have other references, or none. */
async function placedHere({ accounting }: SandboxSystems) {
  const orders = await listLedgerOrders(accounting.controlAddress, 'acme')
  return orders.filter(({ reference }) => reference?.startsWith('ord_'))
}

const ledgerReferences = async (systems: SandboxSystems) =>
  (await placedHere(systems)).map(({ reference }) => reference!)

async function orderedOnCredit(systems: SandboxSystems, customer: string): Promise<Decimal> {
  const orders = (await placedHere(systems)).filter(
    (order) => order.customer_id === customer && order.payment_method === 'CREDIT_TERMS',
  )
  return orders.reduce((sum, { totals }) => sum.plus(totals.total), new Decimal(0))
}
