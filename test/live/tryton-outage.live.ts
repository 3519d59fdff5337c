import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { Type } from 'typebox'
import type { Rpc } from '../../adapters/tryton/client/rpc.ts'
import { responseSchema } from '../../src/upstream/client/response-schema.ts'
import { type CheckoutVisit, runCheckoutVisit, type Shop, type Shopper } from '../crash/checkout-visit.ts'
import { createSeededRandom } from '../crash/seeded-random.ts'
import { connectClerk } from '../support/tryton/connect-tryton.ts'
import { createCreditCustomers } from './support/create-tryton-records.ts'
import { isWhole } from './support/final-reply.ts'
import { type ForecourtProcess, startForecourtProcess } from './support/forecourt-process.ts'
import { createCallWithLongDeadline } from './support/long-deadline-call.ts'
import {
  compareOrders,
  expectOneSalePerOrder,
  expectRepliesMatchOrders,
  type OrderComparison,
} from './support/order-comparison.ts'
import { createTemporaryDatabase, type TemporaryDatabase } from './support/temporary-tryton-database.ts'
import { trytonAccess } from './support/tryton-environment.ts'
import { waitForFinalOrders } from './support/wait-for-final-orders.ts'
import { waitUntil } from './support/wait-until.ts'
import { readWorkerPids } from './support/worker-pids.ts'

const SEED = Number(process.env.SEED ?? 20_261_121)
/** Long enough for a busy machine while Tryton is healthy; while it hangs, every call waits this long. */
const TIMEOUT_MS = 10_000
const DEADLINE_MS = 12_000
/** The age beyond which cached stock is not served without a call. */
const STOCK_OLD_MS = 31_000
const BUYERS = 2
const LOGINS = 1
const GOODS = ['PAD-001', 'OFL-001', 'OIL-001', 'BLB-001', 'DSC-001']
/** Read before the outage and not again until then. */
const KEPT = ['/v1/products?category=brakes', '/v1/products/PAD-002', '/v1/products/DSC-008/availability']
const READ = [
  '/v1/products/OFL-001',
  '/v1/products?category=filters&limit=20',
  '/v1/categories',
  '/v1/products/OIL-001',
]
const NEVER_READ = ['/v1/products/BAT-001', '/v1/products?q=battery&limit=3', '/v1/products/MAP-001']
const script = resolve(import.meta.dirname, '../support/tryton/tryton.sh')
const run = promisify(execFile)
const Anything = responseSchema(Type.Unknown())

interface Read {
  path: string
  status: number
  ms: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
  body: any
}

describe('shopping while Tryton hangs, recovers, stops and restarts', function () {
  this.timeout(3_600_000)
  const random = createSeededRandom(SEED)
  const { pidFile } = trytonAccess()
  let own: TemporaryDatabase
  let desk: { rpc: Rpc; close(): Promise<void> }
  let shop: ForecourtProcess
  let shoppers: Shopper[]
  let customers: string[]
  let stopLoad: () => Promise<void>
  const visits: CheckoutVisit[] = []
  const reads: Read[] = []
  const tries: Parameters<NonNullable<Shop['onAttempt']>>[0][] = []
  let stopped: number[] = []

  before(async () => {
    own = await createTemporaryDatabase()
    desk = connectClerk(own.clerk)
    customers = await createCreditCustomers(desk.rpc, 12)
    shop = await startForecourtProcess({
      erp: own.storefront,
      timeoutMs: TIMEOUT_MS,
      // The caches without a mirror; test/hostile/erp-outage.hostile.ts has one.
      merchant: ['mirror: off'],
      settings: [`deadline_ms: ${DEADLINE_MS}`, 'feed: { interval_seconds: 2 }'],
    })
    shoppers = await Promise.all(
      customers.map(async (customerId) => ({ customerId, token: await shop.shopper(customerId) })),
    )
    await read('/v1/products?limit=5')
    for (const path of [...KEPT, ...READ])
      await waitUntil(`${path} is whole`, async () => isWholeRead(await read(path)))
    stopLoad = load()
    await pause(STOCK_OLD_MS)
    tries.length = reads.length = 0
  })
  after(async () => {
    for (const pid of stopped) process.kill(pid, 'SIGCONT')
    await stopLoad?.()
    await shop?.[Symbol.asyncDispose]()
    await desk?.close()
  })

  it('serves cached data, and responds to every request, while every process of Tryton hangs', async () => {
    stopped = readWorkerPids(pidFile)
    expect(stopped.length).to.be.above(0)
    for (const pid of stopped) process.kill(pid, 'SIGSTOP')
    const first = await Promise.all([...KEPT, ...NEVER_READ].map(read))
    for (const { path, status } of first.slice(0, KEPT.length)) expect(status, path).to.equal(200)
    // Pages are cached for longer than stock, and served stale while they are refreshed.
    expect(JSON.stringify(first[KEPT.length - 1]!.body.errors)).to.include('"stale":true')
    for (const { path, status, body } of first.slice(KEPT.length))
      expect(status === 200 ? body.errors.length > 0 : status >= 502, path).to.equal(true)
    await waitUntil('the circuits are open', isOpen)
    await waitUntil('somebody is told so', () => JSON.stringify([reads, tries]).includes('circuit_open'))
    const later = await Promise.all(KEPT.map(read))
    for (const { path, status } of later) expect(status, path).to.equal(200)
    holdsUnderOutage('while it hung')
  })

  it('recovers by itself when Tryton continues', async () => {
    reads.length = tries.length = 0
    resume()
    const from = performance.now()
    // A separate call, queued behind the backlog.
    const clerks = desk
      .rpc(Anything, 'party.party.search_count', [[]], createCallWithLongDeadline())
      .then(() => performance.now() - from)
    await waitUntil('the circuits are closed', async () => (await health()) === 'ok')
    const closed = performance.now() - from
    for (const path of [...KEPT, ...NEVER_READ])
      await waitUntil(`${path} is whole`, async () => isWholeRead(await read(path)))
    const whole = performance.now() - from
    const before = visits.length
    await waitUntil('somebody ordered again', () => isOrdered(visits.slice(before)))
    const ordered = performance.now() - from
    const after = [await clerks, closed, whole, ordered].map((ms) => `${ms.toFixed(0)} ms`)
    tell(
      `since Tryton went on: a clerk's answer ${after[0]}, circuits closed ${after[1]}, whole again ${after[2]}, an order ${after[3]}`,
    )
  })

  it('renews its login without a failed request when the sessions have expired', async () => {
    // No other calls are queued before these.
    await stopLoad()
    await waitUntil('it is well', async () => (await health()) === 'ok')
    await own.sql('delete from ir_session')
    const { token } = shoppers[0]!
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => shop.ask('GET', '/v1/me/credit-status', { token })),
    )
    for (const { status, text } of replies) expect(status, text).to.equal(200)
    const [row] = await own.sql('select count(*)::int as sessions from ir_session')
    expect(row!.sessions).to.be.at.least(1)
    stopLoad = load()
  })

  it('serves cached data while Tryton is down, and keeps its sessions across the restart', async () => {
    const sessions = async () => (await own.sql('select key from ir_session order by key')).map(({ key }) => key)
    for (const path of KEPT) await waitUntil(`${path} is whole`, async () => isWholeRead(await read(path)))
    await waitUntil('Forecourt has logged in again', async () => (await sessions()).length >= LOGINS)
    const before = await sessions()
    reads.length = tries.length = 0
    const pid = Number(readFileSync(pidFile, 'utf8'))
    process.kill(pid, 'SIGTERM')
    await waitUntil('it has ended', () => !existsSync(`/proc/${pid}`))
    await waitUntil('the circuits are open', isOpen)
    for (const { path, status } of await Promise.all(KEPT.map(read))) expect(status, path).to.equal(200)
    holdsUnderOutage('while it was down')
    await run('bash', [script, 'start'])
    const from = performance.now()
    await waitUntil('the circuits are closed', async () => (await health()) === 'ok')
    for (const path of [...KEPT, ...READ])
      await waitUntil(`${path} is whole`, async () => isWholeRead(await read(path)))
    tell(`whole again ${(performance.now() - from).toFixed(0)} ms after Tryton was started`)
    const seen = visits.length
    await waitUntil('somebody ordered again', () => isOrdered(visits.slice(seen)))
    expect(await sessions()).to.deep.equal(before)
  })

  describe('afterwards', () => {
    let found: OrderComparison

    before(async () => {
      await stopLoad()
      await waitForFinalOrders(shop)
      found = await compareOrders(shop, desk.rpc, customers)
      tell(`${visits.length} carts became ${found.ordered.length} orders`)
    })

    it('has exactly one sale per order, and no other sale', () => expectOneSalePerOrder(found))
    it('matches the responses of every checkout', () => expectRepliesMatchOrders(found, visits))
  })

  const health = async () => (await shop.ask('GET', '/health')).body.status
  /** Sends a request: a hanging system is noticed only by a call that is not cached. */
  const isOpen = async () => {
    for (const path of NEVER_READ) void read(path).catch(() => {})
    await pause(500)
    return (await health()) === 'degraded'
  }
  /** Returns true when an order is confirmed, at checkout or soon after a pending response. */
  const isOrdered = async (some: CheckoutVisit[]) => {
    const told = some.flatMap(({ checkouts }) => checkouts.filter(({ status }) => status === 200))
    const ids = told.flatMap(({ text }) => JSON.parse(text).order_id ?? [])
    const ordered = shop.db.selectFrom('orders').select('order_id').where('status', '=', 'CONFIRMED')
    return (await ordered.where('order_id', 'in', ids).limit(1).execute()).length > 0
  }
  const isWholeRead = (reply: Read) => reply.status === 200 && isWhole(reply)

  function resume(): void {
    for (const pid of stopped.splice(0)) process.kill(pid, 'SIGCONT')
  }

  async function read(path: string): Promise<Read> {
    const from = performance.now()
    const { status, body } = await shop.ask('GET', path)
    return { path, status, body, ms: performance.now() - from }
  }

  /** Buyers who retry until their checkout is final, and one shopper who browses. */
  function load(): () => Promise<void> {
    let over = false
    const counter: Shop = {
      address: () => shop.servers[0]!.address,
      key: shop.keys.secret,
      random,
      skus: GOODS,
      onAttempt: (tried) => tries.push(tried),
    }
    const buying = async () => {
      while (!over) visits.push(await runCheckoutVisit(counter, random.of(shoppers)))
    }
    const looking = async () => {
      while (!over) {
        reads.push(await read(random.of(READ)))
        await pause(40)
      }
    }
    const all = Promise.all([...Array.from({ length: BUYERS }, buying), looking(), looking()])
    all.catch(() => {})
    return async () => {
      over = true
      await all
    }
  }

  /** The responses since the start of the outage. */
  function holdsUnderOutage(when: string): void {
    expect(reads.length).to.be.above(0)
    for (const { path, status } of reads) expect(status, path).to.equal(200)
    const slowest = Math.max(...reads.map(({ ms }) => ms))
    const checkouts = tries.filter(({ path }) => path === '/v1/checkout')
    for (const { status, body } of checkouts) {
      const outcome = status === 200 ? JSON.parse(body).state : status
      expect(outcome, body).to.be.oneOf(['placed', 'processing', 409, 502, 503, 504])
    }
    const outcomes = checkouts.map(({ status, body }) => (status === 200 ? JSON.parse(body).state : String(status)))
    const counts = Object.entries(Object.groupBy(outcomes, (one) => one)).map(([one, all]) => `${all!.length} ${one}`)
    const p50 = reads.map(({ ms }) => ms).toSorted((a, b) => a - b)[Math.floor(reads.length / 2)]!
    tell(
      `${when}: ${reads.length} reads p50 ${p50.toFixed(1)} ms, slowest ${slowest.toFixed(0)} ms; checkouts: ${counts.join(', ')}`,
    )
  }
})

const tell = (line: string) => process.stdout.write(`      ${line}\n`)
