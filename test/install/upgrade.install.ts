import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { listLedgerOrders } from '../../src/sandbox/control/accounting-control-client.ts'
import type { Database } from '../../src/storage/database.ts'
import { writeConfig } from '../crash/api-server-process.ts'
import { createShopperSession, runCheckoutVisit, type Shop, type Shopper } from '../crash/checkout-visit.ts'
import { createSeededRandom } from '../crash/seeded-random.ts'
import { openUnchecked } from '../storage/migrations/release-store.ts'
import { freePort } from '../support/free-port.ts'
import { type SandboxSystems, startSandboxSystems, stopSandboxSystems } from '../support/sandbox-systems.ts'
import { stores } from '../support/stores.ts'
import { checkOutReleaseBefore, thisRelease } from './release-checkout.ts'
import { ReplaceableServer, runRelease } from './replaceable-server.ts'

const SHOPPERS = ['C-1001', 'C-1003', 'C-1008', 'C-1012']
const READERS = 3
const REQUESTS_AFTER_STEP = Number(process.env.REQUESTS ?? 200)
/** Long enough for a busy machine: the balancer notices in time, and no request is aborted. */
const DRAIN = { delay_seconds: 10, finish_seconds: 120 }

/** Two servers behind a load balancer are upgraded, and rolled back, one by one as docs/operations.md says, while shoppers read and order. */
describe('an upgrade from the release before, and back', () => {
  const [, store] = stores()
  const random = createSeededRandom(20_261_125)
  const attempts: { method: string; path: string; status: number; body: string }[] = []
  let directory: string
  let systems: SandboxSystems
  let db: Database
  let releaseBefore: string
  let servers: ReplaceableServer[]
  let balancer: ReturnType<typeof startBalancer>
  let isOver = false
  let load: Promise<unknown>

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'forecourt-upgrade-'))
    releaseBefore = await checkOutReleaseBefore(join(directory, 'release'))
    systems = await startSandboxSystems(directory)
    const url = await store!.createBare()
    await writeConfig(directory, url, systems, { drain: DRAIN })
    expect((await runRelease(releaseBefore, ['migrate'], directory)).code).to.equal(0)
    db = openUnchecked(url)
    const issue = ['keys', 'issue', '--merchant', 'acme', '--kind', 'secret', '--mode', 'sandbox', '--rate', '1000000']
    const { out } = await runRelease(releaseBefore, [...issue, '--json'], directory)
    const [key] = /svc_test_sec_\w+/.exec(out)!
    const shoppers = await Promise.all(SHOPPERS.map((customerId) => createShopperSession(db, customerId)))
    servers = [new ReplaceableServer(await freePort(), directory), new ReplaceableServer(await freePort(), directory)]
    await Promise.all(servers.map((server) => server.replace(releaseBefore)))
    balancer = startBalancer(servers)
    const shop: Shop = {
      address: () => balancer.address(),
      key,
      random,
      onAttempt: ({ method, path, status, body }) => attempts.push({ method, path, status, body }),
    }
    load = Promise.all([...shoppers.map((shopper) => shopUntilOver(shop, shopper)), ...readers(shop)])
  })
  after(async () => {
    isOver = true
    await load?.catch(() => {})
    await balancer?.[Symbol.asyncDispose]()
    await Promise.all(servers?.map((server) => server?.stop()) ?? [])
    await db?.destroy()
    await store?.close()
    if (systems) await stopSandboxSystems(systems)
    await rm(directory, { recursive: true, force: true, maxRetries: 10 })
  })

  async function shopUntilOver(shop: Shop, shopper: Shopper): Promise<void> {
    while (!isOver) await runCheckoutVisit(shop, shopper)
  }
  const readers = (shop: Shop) =>
    Array.from({ length: READERS }, async () => {
      while (!isOver) {
        const path = random.of(['/v1/products?limit=20', '/v1/products/BP-1001', '/v1/products/OL-1001'])
        const reply = await fetch(shop.address() + path, { headers: { authorization: `Bearer ${shop.key}` } }).then(
          async (reply) => ({ status: reply.status, body: await reply.text() }),
          (error) => ({ status: 0, body: String(error.cause ?? error) }),
        )
        attempts.push({ method: 'GET', path, ...reply })
        await pause(5)
      }
    })

  /** Waits until the step is done and further requests have been made, and returns those that failed since the last call. */
  let checkedCount = 0
  async function failuresDuring(step: Promise<unknown> = Promise.resolve()) {
    await step
    const enough = attempts.length + REQUESTS_AFTER_STEP
    while (attempts.length < enough) await pause(50)
    const recent = attempts.slice(checkedCount)
    checkedCount += recent.length
    return recent.filter(({ status }) => status === 0 || status >= 500)
  }

  it('runs the release before', async () => {
    expect(await failuresDuring()).to.deep.equal([])
  })

  it('migrates the store of running servers, which --check lists', async () => {
    const check = () => runRelease(thisRelease, ['migrate', '--check', '--json'], directory)
    const found = await check()
    expect(found.code).to.equal(1)
    const { missing } = JSON.parse(found.out)
    const migrate = runRelease(thisRelease, ['migrate', '--json'], directory)
    expect(await failuresDuring(migrate)).to.deep.equal([])
    expect(JSON.parse((await migrate).out).applied).to.deep.equal(missing)
    expect((await check()).code).to.equal(0)
  })

  for (const place of [0, 1])
    it(`replaces server ${place + 1} by this release, and fails no request`, async () => {
      expect(await failuresDuring(servers[place]!.replace(thisRelease))).to.deep.equal([])
    })

  for (const place of [0, 1])
    it(`replaces server ${place + 1} by the release before again, and fails no request`, async () => {
      expect(await failuresDuring(servers[place]!.replace(releaseBefore))).to.deep.equal([])
    })

  it('places each order once', async () => {
    isOver = true
    await load
    const readOrders = () => db.selectFrom('orders').select(['order_id', 'cart_id', 'status']).execute()
    while ((await readOrders()).some(({ status }) => status === 'PENDING')) await pause(250)
    const orders = (await readOrders()).filter(({ status }) => status === 'CONFIRMED')
    const ledger = (await listLedgerOrders(systems.accounting.controlAddress, 'acme'))
      .map(({ reference }) => reference)
      .filter((reference) => reference?.startsWith('ord_'))
    expect(ledger.toSorted()).to.deep.equal(orders.map(({ order_id }) => order_id).toSorted())
    expect(new Set(orders.map(({ cart_id }) => cart_id)).size).to.equal(orders.length)
    expect(orders.length).to.be.above(10)
    const failed = attempts.filter(({ status }) => status === 0 || status >= 500).length
    process.stdout.write(`      ${attempts.length} requests, ${failed} failed; ${orders.length} orders\n`)
  })
})

/** Watches /readyz of the servers, as load balancers do, and returns the address of a ready one for each request. */
function startBalancer(servers: readonly ReplaceableServer[]) {
  let ready: readonly ReplaceableServer[] = servers
  let isStopped = false
  let turn = 0
  async function watch(): Promise<void> {
    while (!isStopped) {
      const states = await Promise.all(servers.map((server) => server.isReady()))
      ready = servers.filter((_, i) => states[i])
      await pause(100)
    }
  }
  const watching = watch()
  return {
    address(): string {
      if (ready.length === 0) throw new Error('no server is ready')
      turn += 1
      return ready[turn % ready.length]!.address
    },
    async [Symbol.asyncDispose]() {
      isStopped = true
      await watching
    },
  }
}
