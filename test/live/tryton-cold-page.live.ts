import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { tryton } from '../../adapters/tryton/adapter.ts'
import { parseConfig } from '../../src/config/parse-config-file.ts'
import type { Adapter } from '../../src/ports/adapter.ts'
import type { HttpClient, HttpResponse } from '../../src/ports/http-client.ts'
import type { InventoryPort, Product } from '../../src/ports/inventory.ts'
import { type Forecourt, startForecourt } from '../../src/runtime/start.ts'
import { randomBase62 } from '../../src/security/base62.ts'
import { sha256Hex } from '../../src/security/sha256.ts'
import { issueApiKey } from '../../src/storage/keys/api-keys.ts'
import { tenantColumns } from '../../src/storage/tenant-columns.ts'
import { sendHttpRequest } from '../support/send-http-request.ts'
import { connectClerk, connectTrytonPorts } from '../support/tryton/connect-tryton.ts'
import { createCreditCustomers, createStockedProducts } from './support/create-tryton-records.ts'
import { formatMerchantFile } from './support/forecourt-process.ts'
import { createCallWithLongDeadline } from './support/long-deadline-call.ts'
import { createTemporaryDatabase } from './support/temporary-tryton-database.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 15)
const LIMIT = 50
const WARM = 15
const TAKES = 3
/**
 * The location of Tryton. Locally, it shares the cores of this machine with Forecourt. Remotely, each exchange has a network
 * delay. On its own machine, every call finds a free processor: each response is replayed after the median time that it
 * took when the call of its port was made alone. This shows what Forecourt waits for, and what it adds.
 */
const WAYS = [
  { name: 'next door', wayMs: 0, playsBack: false },
  { name: '150 ms away', wayMs: 150, playsBack: false },
  { name: 'on its own machine', wayMs: 0, playsBack: true },
]
type Way = (typeof WAYS)[number]
const MOST = ROUNDS * WAYS.length
const BOTH = { product: true, stock: true }
const tenant = { merchant: 'spares', mode: 'live' as const }

/** Names of calls: `inventory.search` of a port, `product.product.search_read` of Tryton. */
interface Counted {
  ports: string[]
  rpcs: string[]
  /** Recorded responses by request, and their durations. */
  tape: Map<string, { reply: HttpResponse; ms: number[] }>
  /** The delay added to each exchange. */
  wayMs: number
  /** True to replay responses; false to record them. */
  playsBack: boolean
  /** Requests without a recorded response, which went to Tryton. */
  missed: string[]
}

describe('a cold page of 50 products of a real Tryton', function () {
  this.timeout(3_600_000)
  const asked: Counted = { ports: [], rpcs: [], tape: new Map(), wayMs: 0, playsBack: false, missed: [] }
  let directory: string
  let forecourt: Forecourt
  let alone: ReturnType<typeof connectTrytonPorts>
  let key: string
  let tokens: { customerId: string; token: string }[]
  const times = new Map<string, number[]>()
  const rpcsOf = new Map<string, Set<number>>()

  before(async () => {
    const own = await createTemporaryDatabase()
    const desk = connectClerk(own.clerk)
    await createStockedProducts(desk.rpc, LIMIT + MOST + WARM)
    const customers = await createCreditCustomers(desk.rpc, MOST)
    await desk.close()
    directory = await mkdtemp(join(tmpdir(), 'forecourt-page-'))
    const text = formatMerchantFile(
      { erp: own.storefront, settings: ['feed: { interval_seconds: 0 }'] },
      directory,
      `sqlite:${join(directory, 'forecourt.db')}`,
    )
    const adapters = { tryton: counted(tryton, asked) }
    const env = { ERP_PASSWORD: own.storefront.password, FORECOURT_DATA: directory, PORT: '0' }
    const config = parseConfig(text, 'the test', adapters, env)
    // Cached values keep their age: the duration of a round does not make them stale.
    const at = Date.now()
    forecourt = await startForecourt({ config, adapters, embeddedSystemsFor: () => ({}), now: () => at })
    key = (await issueApiKey(forecourt.db, { ...tenant, kind: 'secret', rate: 1_000_000 })).key
    tokens = await Promise.all(customers.map(signedIn))
    alone = connectTrytonPorts(own.storefront, (client) => heard(client, asked))
    await warmed()
    for (const [at, way] of WAYS.entries()) await rounds(at * ROUNDS, way)
  })
  after(async () => {
    await forecourt?.[Symbol.asyncDispose]()
    await alone?.close()
    await rm(directory, { recursive: true, force: true })
  })

  it('calls each port once', () => {
    for (const { name } of WAYS)
      expect(callsOf(`cold page, ${name}`)).to.deep.equal(['accounting.taxes', 'inventory.search', 'pricing.prices'])
  })

  it('calls each port once when only the SKUs of the page are known', () => {
    for (const { name } of WAYS)
      expect(callsOf(`known page, ${name}`)).to.deep.equal(['accounting.taxes', 'inventory.items', 'pricing.prices'])
  })

  it('was replayed completely', () => {
    expect(asked.missed).to.deep.equal([])
  })

  it('takes about as long as its slowest call (reported, not asserted)', () => {
    report()
  })

  const ports = new Map<string, string[][]>()
  /** The port calls of every round, which must be equal. */
  function callsOf(name: string): string[] {
    const seen = ports.get(name)!
    for (const calls of seen) expect(calls).to.deep.equal(seen[0])
    return seen[0]!
  }

  /** Warms up: code is compiled, and the adapter has cached units, categories and taxes. */
  async function warmed(): Promise<void> {
    const { backOffice } = forecourt.upstreams.forTenant(tenant)!
    for (let offset = MOST + 1; offset <= MOST + WARM; offset += 1) {
      const skus = (await page(offset)).map(({ sku }) => sku)
      await alone.inventory.search({ limit: LIMIT, offset }, BOTH, createCallWithLongDeadline())
      await alone.pricing.prices(skus, null, createCallWithLongDeadline())
      await alone.accounting.taxes(skus, null, createCallWithLongDeadline())
      backOffice.invalidate(skus, true)
    }
  }

  async function rounds(from: number, { name, wayMs, playsBack }: Way): Promise<void> {
    const { backOffice } = forecourt.upstreams.forTenant(tenant)!
    // Another page each time, for another shopper: responses are cached.
    for (let n = from; n < from + ROUNDS; n += 1) {
      const offset = n + 1
      const { customerId, token } = tokens[n]!
      const all = (
        await alone.inventory.search({ limit: 200, offset: 0 }, BOTH, createCallWithLongDeadline())
      ).items.map(({ sku }) => sku)
      const skus = all.slice(offset, offset + LIMIT)
      const pages: Work<Product[]>[] = [
        ['cold page', () => page(offset)],
        ['known page', () => page(offset, token)],
      ]
      const alones: Work<unknown>[] = [
        ['search alone', () => alone.inventory.search({ limit: LIMIT, offset }, BOTH, createCallWithLongDeadline())],
        ['prices alone', () => alone.pricing.prices(skus, null, createCallWithLongDeadline())],
        ['taxes alone', () => alone.accounting.taxes(skus, null, createCallWithLongDeadline())],
        ['items alone', () => alone.inventory.items(skus, BOTH, createCallWithLongDeadline())],
        ['their prices alone', () => alone.pricing.prices(skus, customerId, createCallWithLongDeadline())],
        ['their taxes alone', () => alone.accounting.taxes(skus, customerId, createCallWithLongDeadline())],
      ]
      if (playsBack) for (let take = 0; take < TAKES; take += 1) for (const [, work] of alones) await work()
      Object.assign(asked, { wayMs, playsBack })
      const measured = [
        async () => {
          for (const [at, [what, work]] of pages.entries()) {
            // On a cold page not even its SKUs are known.
            backOffice.invalidate(all, at === 0)
            const shown = await timed(`${what}, ${name}`, work)
            expect(shown.map(({ sku }) => sku)).to.deep.equal(skus)
          }
        },
        async () => {
          for (const [what, work] of alones) await timed(`${what}, ${name}`, work)
        },
      ]
      // Alternating, so that neither always runs first.
      for (const work of n % 2 === 0 ? measured : measured.toReversed()) await work()
      Object.assign(asked, { wayMs: 0, playsBack: false })
      asked.tape.clear()
    }
  }

  async function timed<T>(name: string, work: () => Promise<T>): Promise<T> {
    asked.ports.length = asked.rpcs.length = 0
    const from = performance.now()
    const value = await work()
    push(times, name, performance.now() - from)
    push(ports, name, asked.ports.toSorted())
    if (asked.rpcs.length > 0) rpcsOf.set(name, (rpcsOf.get(name) ?? new Set()).add(asked.rpcs.length))
    return value
  }

  async function page(offset: number, token?: string): Promise<Product[]> {
    const shopper = token === undefined ? {} : { 'x-storefront-shopper-token': token }
    const { status, body, text } = await sendHttpRequest(
      forecourt.address,
      `/v1/products?limit=${LIMIT}&offset=${offset}`,
      {
        headers: { authorization: `Bearer ${key}`, ...shopper },
      },
    )
    expect(status, text).to.equal(200)
    for (const { sku, price, tax, availability } of body.data)
      expect([price, tax, availability].includes(null), sku).to.equal(false)
    return body.data
  }

  async function signedIn(customerId: string) {
    const token = randomBase62(43)
    const lasting = { created_at: '2026-01-01T00:00:00.000Z', expires_at: '2999-01-01T00:00:00.000Z' }
    const session = { digest: sha256Hex(token), ...tenantColumns(tenant), customer_id: customerId }
    await forecourt.db
      .insertInto('shopper_sessions')
      .values({ ...session, ...lasting })
      .execute()
    return { customerId, token }
  }

  function report(): void {
    const p50 = (name: string) => middle(times.get(name)!)
    for (const way of WAYS) {
      const line = (name: string, parts: string[]) => {
        const of = (what: string) => p50(`${what}, ${way.name}`)
        const slowest = Math.max(...parts.map(of))
        const each = parts.map((part) => `${part} ${of(part).toFixed(0)} ms`).join(', ')
        const rpcs = [...(rpcsOf.get(`${name}, ${way.name}`) ?? [])].join(' or ')
        const ratio = (of(name) / slowest).toFixed(2)
        process.stdout.write(
          `      ${name}, Tryton ${way.name}: p50 ${of(name).toFixed(0)} ms, ${ratio} of the slowest of ${each}; ${rpcs} RPCs\n`,
        )
      }
      line('cold page', ['search alone', 'prices alone', 'taxes alone'])
      line('known page', ['items alone', 'their prices alone', 'their taxes alone'])
    }
  }
})

/** The name of a location, and how it is simulated. */
type Work<T> = [string, () => Promise<T>]

const middle = (all: readonly number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)]!
/** Tables that the adapter reads again once a minute. */
const KEPT =
  /^(common\.db\.login|model\.((account\.tax|product\.category|stock\.location)\.search_read|sale\.configuration\.read|.*\.fields_get))$/
const push = <V>(lists: Map<string, V[]>, name: string, value: V) =>
  lists.set(name, [...(lists.get(name) ?? []), value])

const heard = (client: HttpClient, asked: Counted): HttpClient => ({
  ...client,
  async send(sent, call) {
    const { method, params } = sent.body as { method: string; params: unknown[] }
    const key = JSON.stringify([method, params])
    asked.rpcs.push(method)
    if (asked.wayMs > 0) await pause(asked.wayMs)
    const held = asked.playsBack ? asked.tape.get(key) : undefined
    if (held) {
      await pause(middle(held.ms))
      return held.reply
    }
    if (asked.playsBack && !KEPT.test(method)) asked.missed.push(method)
    const from = performance.now()
    const reply = await client.send(sent, call)
    const before = asked.tape.get(key)?.ms ?? []
    asked.tape.set(key, { reply, ms: [...before, performance.now() - from] })
    return reply
  },
})

/** The adapter, with every port call and exchange recorded. */
function counted(adapter: Adapter, asked: Counted): Adapter {
  const noted = <P extends object>(system: string, port: P): P =>
    new Proxy(port, {
      get(target, name) {
        const member = Reflect.get(target, name) as unknown
        if (typeof member !== 'function') return member
        return (...params: unknown[]) => {
          asked.ports.push(`${system}.${String(name)}`)
          return Reflect.apply(member, target, params)
        }
      },
    })
  return {
    ...adapter,
    connect(settings, client, facts, systems) {
      const { inventory, pricing, accounting } = adapter.connect(settings, heard(client, asked), facts, systems)
      return {
        inventory: noted<InventoryPort>('inventory', inventory!),
        pricing: noted('pricing', pricing!),
        accounting: noted('accounting', accounting!),
      }
    },
  }
}
