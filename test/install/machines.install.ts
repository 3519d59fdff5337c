import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { listLedgerOrders } from '../../src/sandbox/control/accounting-control-client.ts'
import type { Database } from '../../src/storage/database.ts'
import { writeConfig } from '../crash/api-server-process.ts'
import { createShopperSession, runCheckoutVisit, type Shop } from '../crash/checkout-visit.ts'
import { createSeededRandom } from '../crash/seeded-random.ts'
import { openUnchecked } from '../storage/migrations/release-store.ts'
import { type SandboxSystems, startSandboxSystems, stopSandboxSystems } from '../support/sandbox-systems.ts'
import { stores } from '../support/stores.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'
import { until } from '../support/until.ts'
import { MachineNetwork, type NamespaceMachine } from './network-namespace-machines.ts'
import { NginxBalancer } from './nginx-balancer.ts'
import { checkOutReleaseBefore, runRelease, thisRelease } from './releases.ts'

const SHOPPERS = ['C-1001', 'C-1003', 'C-1008', 'C-1012']
/** Requests per second, as far as the machine can serve them. */
const RATE = Number(process.env.RATE ?? 300)
const REQUESTS_AFTER_STEP = Number(process.env.REQUESTS ?? 600)
/** A slow machine gets fewer requests a second. */
const MAX_IN_FLIGHT = 48
const WEBHOOK_PORT = 8090
/** Long enough for a busy machine. */
const STATEMENT_TIMEOUT_MS = 20_000
/** Not GET /health: where its check of the store takes over a second, as on a busy machine, it is to say so. */
const reads = ['/v1/products?limit=20', '/v1/products/BP-1001', '/v1/products/OL-1001', '/v1/products?q=pads']

interface Attempt {
  path: string
  status: number
  body: string
  ms: number
}

interface Failure {
  startedAt: number
  text: string
}

/** On a busy machine, accounting may take longer than the five seconds that a checkout waits for it. No upgrade causes that. */
const isSlowCheckout = ({ path, body }: Attempt) =>
  path.startsWith('/v1/checkout') && /"code":"downstream_(?:timeout|unavailable)"/.test(body)

const MAX_TEXTS = 10

/** The first ones, because mocha prints nothing of a long list. */
const toTexts = (failures: readonly Failure[]) => {
  const texts = failures.slice(0, MAX_TEXTS).map(({ text }) => text)
  return failures.length > MAX_TEXTS ? [...texts, `and ${failures.length - MAX_TEXTS} more`] : texts
}

/** Two machines with two workers each on one PostgreSQL, behind nginx as docs/reverse-proxy.md has it. Their network is Linux's own. */
describe('two machines behind nginx', () => {
  const [, store] = stores()
  const random = createSeededRandom(20_261_127)
  const attempts: (Attempt & { startedAt: number })[] = []
  const received = new Set<string>()
  const stack = new AsyncDisposableStack()
  let systems: SandboxSystems
  let db: Database
  let machines: NamespaceMachine[]
  let balancer: NginxBalancer
  let releaseBefore: string
  let migrate: (...options: string[]) => Promise<{ code: number; out: string }>
  let load: Promise<unknown> = Promise.resolve()
  let isOver = false

  before(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'forecourt-machines-'))
    stack.defer(() => rm(directory, { recursive: true, force: true, maxRetries: 10 }))
    releaseBefore = await checkOutReleaseBefore(join(directory, 'release'))
    systems = await startSandboxSystems(directory)
    stack.defer(() => stopSandboxSystems(systems))
    const storeUrl = await store!.createBare()
    stack.defer(() => store!.close())
    const network = stack.use(await MachineNetwork.create())
    const forward = async (address: string): Promise<string> => {
      const url = new URL(address)
      const proxy: TcpProxy = await startTcpProxy(url.hostname, Number(url.port), network.hostAddress)
      stack.use(proxy)
      url.hostname = network.hostAddress
      url.port = String(proxy.port)
      return url.href.replace(/\/$/, '')
    }
    const webhooks = { key: randomBytes(32).toString('base64'), allow: [network.hostAddress] }
    const [inventory, pricing, accounting] = await Promise.all(
      [systems.inventory, systems.pricing, systems.accounting].map(async ({ address }) => ({
        address: await forward(address),
      })),
    )
    const forwardedStore = new URL(await forward(storeUrl))
    // Of a machine that has lost its power, PostgreSQL keeps the locks for half as long.
    forwardedStore.searchParams.set('statement_timeout', String(STATEMENT_TIMEOUT_MS))
    forwardedStore.searchParams.set('connect_timeout', '60')
    machines = await Promise.all(
      [1, 2].map(async (number) => {
        const own = join(directory, `machine-${number}`)
        await mkdir(own)
        const settings = { webhooks, drain: { finish_seconds: 120 } }
        await writeConfig(
          own,
          forwardedStore.href,
          { inventory: inventory!, pricing: pricing!, accounting: accounting! },
          settings,
        )
        return network.addMachine(own)
      }),
    )
    const runOnFirst = (main: string, args: string[]) => runRelease(main, args, join(directory, 'machine-1'))
    expect((await runOnFirst(releaseBefore, ['migrate'])).code).to.equal(0)
    migrate = (...options) => runOnFirst(thisRelease, ['migrate', '--json', ...options])
    db = openUnchecked(storeUrl)
    stack.defer(() => db.destroy())
    const issue = ['keys', 'issue', '--merchant', 'acme', '--kind', 'secret', '--mode', 'sandbox', '--rate', '1000000']
    const [key] = /svc_test_sec_\w+/.exec((await runOnFirst(releaseBefore, [...issue, '--json'])).out)!
    await Promise.all(machines.map((machine) => machine.start(releaseBefore)))
    balancer = stack.use(await NginxBalancer.start(directory, machines))
    const receiver = await startReceiver(network.hostAddress, received)
    stack.defer(() => void receiver.close())
    const shop = { address: () => balancer.address, key, random, onAttempt: record }
    await subscribe(shop, `http://${network.hostAddress}:${WEBHOOK_PORT}/`)
    const shoppers = await Promise.all(SHOPPERS.map((customerId) => createShopperSession(db, customerId)))
    load = Promise.all([
      ...shoppers.map(async (shopper) => {
        while (!isOver) await runCheckoutVisit(shop, shopper)
      }),
      readSteadily(shop),
    ])
  })
  after(async () => {
    isOver = true
    await load.catch(() => {})
    await stack.disposeAsync()
  })

  /** Starts a read at each tick of the rate, unless too many have no response yet. */
  async function readSteadily(shop: Shop): Promise<void> {
    const inFlight = new Set<Promise<void>>()
    while (!isOver) {
      if (inFlight.size < MAX_IN_FLIGHT) {
        const reading = read(shop, random.of(reads)).finally(() => inFlight.delete(reading))
        inFlight.add(reading)
      }
      await pause(1_000 / RATE)
    }
    await Promise.all(inFlight)
  }

  const record = (attempt: Attempt) => void attempts.push({ ...attempt, startedAt: performance.now() - attempt.ms })

  async function read(shop: Shop, path: string): Promise<void> {
    const startedAt = performance.now()
    const reply = await fetch(shop.address() + path, { headers: { authorization: `Bearer ${shop.key}` } }).then(
      async (response) => ({ status: response.status, body: await response.text() }),
      (error) => ({ status: 0, body: String(error.cause ?? error) }),
    )
    record({ path, ...reply, ms: performance.now() - startedAt })
  }

  /** Waits until the step is done and further requests have been made, and returns those that failed since the last call. */
  let checkedCount = 0
  async function failuresDuring(step: Promise<unknown> = Promise.resolve()): Promise<Failure[]> {
    await Promise.race([step, load])
    const enough = attempts.length + REQUESTS_AFTER_STEP
    await Promise.race([until('enough requests are made', () => attempts.length >= enough, 600_000), load])
    const recent = attempts.slice(checkedCount)
    checkedCount += recent.length
    const failed = recent.filter(
      (attempt) => (attempt.status === 0 || attempt.status >= 500) && !isSlowCheckout(attempt),
    )
    return failed.map(({ startedAt, status, path, body, ms }) => ({
      startedAt,
      text: `${status} ${path} after ${Math.round(ms)} ms: ${body.slice(0, 120)}`,
    }))
  }

  /** A machine that nginx still avoids would be no help when the other one is ended. */
  async function start(machine: NamespaceMachine): Promise<void> {
    await machine.start(thisRelease)
    await balancer.untilUsed(machine)
  }

  async function replace(machine: NamespaceMachine, release: string): Promise<void> {
    await balancer.takeOut(machine)
    await machine.stop()
    await machine.start(release)
    await balancer.putBack()
  }

  it('run the release before, and fail no request', async () => {
    expect(toTexts(await failuresDuring())).to.deep.equal([])
  })

  it('migrate their store, which --check lists, and fail no request', async () => {
    const { code, out } = await migrate('--check')
    expect(code).to.equal(1)
    const migrating = migrate()
    expect(toTexts(await failuresDuring(migrating))).to.deep.equal([])
    expect(JSON.parse((await migrating).out).applied).to.deep.equal(JSON.parse(out).missing)
    expect((await migrate('--check')).code).to.equal(0)
  })

  for (const [verb, place, isForward] of [
    ['upgrade', 0, true],
    ['upgrade', 1, true],
    ['roll back', 0, false],
    ['upgrade', 0, true],
  ] as const)
    it(`${verb} machine ${place + 1}, and fail no request`, async () => {
      const release = isForward ? thisRelease : releaseBefore
      expect(toTexts(await failuresDuring(replace(machines[place]!, release)))).to.deep.equal([])
    })

  for (const [place, end] of [
    [0, 'kill'],
    [1, 'kill'],
    [0, 'losePower'],
    [1, 'losePower'],
  ] as const)
    it(`lose no more than the requests on machine ${place + 1} when it is ended by ${end}, and none when it is back`, async () => {
      const machine = machines[place]!
      await machine[end]()
      const endedAt = performance.now()
      // A lost request without an answer ends when the machine is back and knows nothing of its connection.
      const failures = [...(await failuresDuring()), ...(await failuresDuring(start(machine)))]
      expect(toTexts(failures.filter(({ startedAt }) => startedAt > endedAt))).to.deep.equal([])
      process.stdout.write(`      ${failures.length} requests were lost\n`)
      expect(toTexts(await failuresDuring())).to.deep.equal([])
    })

  it('place each order once, and deliver the event of each', async () => {
    isOver = true
    await load
    const readOrders = () => db.selectFrom('orders').select(['order_id', 'cart_id', 'status']).execute()
    await until(
      'no order is pending',
      async () => (await readOrders()).every(({ status }) => status !== 'PENDING'),
      600_000,
    )
    const orders = (await readOrders()).filter(({ status }) => status === 'CONFIRMED')
    const orderIds = orders.map(({ order_id }) => order_id).toSorted()
    const ledger = (await listLedgerOrders(systems.accounting.controlAddress, 'acme'))
      .map(({ reference }) => reference)
      .filter((reference) => reference?.startsWith('ord_'))
    expect(ledger.toSorted()).to.deep.equal(orderIds)
    expect(new Set(orders.map(({ cart_id }) => cart_id)).size).to.equal(orders.length)
    const events = await db
      .selectFrom('events')
      .select(['event_id', 'resource_id'])
      .where('type', '=', 'order.confirmed')
      .execute()
    expect(events.map(({ resource_id }) => resource_id).toSorted()).to.deep.equal(orderIds)
    await until('all events are delivered', () => events.every(({ event_id }) => received.has(event_id)), 600_000)
    expect(orders.length).to.be.above(10)
    const failed = attempts.filter(({ status }) => status === 0 || status >= 500).length
    process.stdout.write(`      ${attempts.length} requests, ${failed} failed; ${orders.length} orders\n`)
  })
})

/** An endpoint for webhooks, which notes the ids of events. */
async function startReceiver(host: string, received: Set<string>): Promise<Server> {
  const server = createServer(async (request, response) => {
    const { id } = (await json(request)) as { id: string }
    received.add(id)
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(WEBHOOK_PORT, host, resolve))
  return server
}

async function subscribe({ address, key }: Shop, endpoint_url: string): Promise<void> {
  const reply = await fetch(`${address()}/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ endpoint_url, event_types: ['order.confirmed'] }),
  })
  expect(reply.status, await reply.text()).to.equal(201)
}
