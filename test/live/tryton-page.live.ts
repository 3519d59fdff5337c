import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { tryton } from '../../adapters/tryton/adapter.ts'
import { parseConfig } from '../../src/config.ts'
import { type Forecourt, startForecourt } from '../../src/forecourt.ts'
import type { Adapter, Client } from '../../src/ports/adapter.ts'
import type { InventoryPort, Product } from '../../src/ports/inventory.ts'
import { digestOf, randomBase62 } from '../../src/storage/key-format.ts'
import { issueKey } from '../../src/storage/keys.ts'
import { exchange } from '../support/exchange.ts'
import { clerk, trytonPorts } from '../support/tryton-subject.ts'
import { asking } from './asking.ts'
import { creditCustomers, shelf } from './crowd.ts'
import { ownDatabase } from './own-database.ts'
import { merchantFile } from './serving.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 15)
const LIMIT = 50
/** On this machine, where all calls share its cores with what asks them, and as from another continent. */
const DISTANCES_MS = [0, 150]
const MOST = ROUNDS * DISTANCES_MS.length
const BOTH = { product: true, stock: true }
const owner = { merchant: 'spares', mode: 'live' as const }

/** Names of what was asked: `inventory.search` of a port, `product.product.search_read` of Tryton. */
interface Counted {
  ports: string[]
  rpcs: string[]
  /** Added to each exchange: a server next door has its own processor to share, one farther off shows what waits for what. */
  distanceMs: number
}

describe('a page of 50 products of a real Tryton, of which nothing is at hand', function () {
  this.timeout(180_000)
  const asked: Counted = { ports: [], rpcs: [], distanceMs: 0 }
  let directory: string
  let forecourt: Forecourt
  let alone: ReturnType<typeof trytonPorts>
  let key: string
  let tokens: { customerId: string; token: string }[]
  const times = new Map<string, number[]>()
  const rpcsOf = new Map<string, Set<number>>()

  before(async () => {
    const own = await ownDatabase()
    const desk = clerk(own.clerk)
    await shelf(desk.rpc, LIMIT + MOST)
    const customers = await creditCustomers(desk.rpc, MOST)
    await desk.close()
    directory = await mkdtemp(join(tmpdir(), 'forecourt-page-'))
    const text = merchantFile(
      { erp: own.storefront, timeoutMs: 8_000, settings: ['deadline_ms: 10000', 'feed: { interval_seconds: 0 }'] },
      directory,
      `sqlite:${join(directory, 'forecourt.db')}`,
    )
    const adapters = { tryton: counted(tryton, asked) }
    const env = { ERP_PASSWORD: own.storefront.password, FORECOURT_DATA: directory, PORT: '0' }
    const config = parseConfig(text, 'the test', adapters, env)
    forecourt = await startForecourt({ config, adapters, embedded: () => ({}) })
    key = (await issueKey(forecourt.db, { ...owner, kind: 'secret', rate: 1_000_000 })).key
    tokens = await Promise.all(customers.map(signedIn))
    alone = trytonPorts(own.storefront, (client) => heard(client, asked))
    for (const [at, distanceMs] of DISTANCES_MS.entries()) await rounds(at * ROUNDS, distanceMs)
  })
  after(async () => {
    await forecourt?.[Symbol.asyncDispose]()
    await alone?.close()
    await rm(directory, { recursive: true, force: true })
  })

  it('asks each port once', () => {
    for (const ms of DISTANCES_MS)
      expect(callsOf(`cold page, ${ms} ms away`)).to.deep.equal([
        'accounting.taxes',
        'inventory.search',
        'pricing.prices',
      ])
  })

  it('asks each port once where it knows which products are on it, and nothing of them', () => {
    for (const ms of DISTANCES_MS)
      expect(callsOf(`known page, ${ms} ms away`)).to.deep.equal([
        'accounting.taxes',
        'inventory.items',
        'pricing.prices',
      ])
  })

  it('takes about as long as the slowest of those calls alone (figures, not verdicts)', () => {
    report()
  })

  const ports = new Map<string, string[][]>()
  /** The port calls of every round, which must be the same. */
  function callsOf(name: string): string[] {
    const seen = ports.get(name)!
    for (const calls of seen) expect(calls).to.deep.equal(seen[0])
    return seen[0]!
  }

  async function rounds(from: number, distanceMs: number): Promise<void> {
    const measured = <T>(name: string, work: () => Promise<T>) => timed(`${name}, ${distanceMs} ms away`, work)
    asked.distanceMs = distanceMs
    const { office } = forecourt.offices.of(owner.merchant, owner.mode)!
    // What the adapter keeps of units, categories and taxes is read by then, as in a process that has run for a while.
    await page(0)
    await alone.inventory.search({ limit: LIMIT, offset: 0 }, BOTH, asking())
    // Another page each time, for another shopper: what was answered is kept.
    for (let n = from; n < from + ROUNDS; n += 1) {
      const offset = n + 1
      const { customerId, token } = tokens[n]!
      const all = (await alone.inventory.search({ limit: 200, offset: 0 }, BOTH, asking())).items.map(({ sku }) => sku)
      office.expire(all, true)
      const skus = (await measured('cold page', () => page(offset))).map(({ sku }) => sku)
      expect(skus.length).to.equal(LIMIT)
      await measured('search alone', () => alone.inventory.search({ limit: LIMIT, offset }, BOTH, asking()))
      await measured('prices alone', () => alone.pricing.prices(skus, null, asking()))
      await measured('taxes alone', () => alone.accounting.taxes(skus, null, asking()))
      office.expire(all, false)
      await measured('known page', () => page(offset, token))
      await measured('items alone', () => alone.inventory.items(skus, BOTH, asking()))
      await measured('their prices alone', () => alone.pricing.prices(skus, customerId, asking()))
      await measured('their taxes alone', () => alone.accounting.taxes(skus, customerId, asking()))
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
    const { status, body, text } = await exchange(forecourt.address, `/v1/products?limit=${LIMIT}&offset=${offset}`, {
      headers: { authorization: `Bearer ${key}`, ...shopper },
    })
    expect(status, text).to.equal(200)
    for (const { sku, price, tax, availability } of body.data)
      expect([price, tax, availability].includes(null), sku).to.equal(false)
    return body.data
  }

  async function signedIn(customerId: string) {
    const token = randomBase62(43)
    const lasting = { created_at: '2026-01-01T00:00:00.000Z', expires_at: '2999-01-01T00:00:00.000Z' }
    const session = { digest: digestOf(token), tenant_id: owner.merchant, mode: owner.mode, customer_id: customerId }
    await forecourt.db
      .insertInto('shopper_sessions')
      .values({ ...session, ...lasting })
      .execute()
    return { customerId, token }
  }

  function report(): void {
    const p50 = (name: string) => times.get(name)!.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)]!
    for (const ms of DISTANCES_MS) {
      const away = `, ${ms} ms away`
      const line = (name: string, parts: string[]) => {
        const slowest = Math.max(...parts.map((part) => p50(part + away)))
        const each = parts.map((part) => `${part} ${p50(part + away).toFixed(0)} ms`).join(', ')
        const rpcs = [...(rpcsOf.get(name + away) ?? [])].join(' or ')
        const ratio = (p50(name + away) / slowest).toFixed(2)
        process.stdout.write(
          `      ${name}${away}: p50 ${p50(name + away).toFixed(0)} ms, ${ratio} of the slowest of ${each}; ${rpcs} RPCs\n`,
        )
      }
      line('cold page', ['search alone', 'prices alone', 'taxes alone'])
      line('known page', ['items alone', 'their prices alone', 'their taxes alone'])
    }
  }
})

const push = <V>(lists: Map<string, V[]>, name: string, value: V) =>
  lists.set(name, [...(lists.get(name) ?? []), value])

const heard = (client: Client, asked: Counted): Client => ({
  ...client,
  async send(sent, call) {
    asked.rpcs.push((sent.body as { method: string }).method)
    if (asked.distanceMs > 0) await pause(asked.distanceMs)
    return client.send(sent, call)
  },
})

/** The adapter, as it is, with every call of its ports and every exchange of theirs noted down. */
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
    inventory: (settings, client, facts) =>
      noted<InventoryPort>('inventory', adapter.inventory!(settings, heard(client, asked), facts)),
    pricing: (settings, client, facts) => noted('pricing', adapter.pricing!(settings, heard(client, asked), facts)),
    accounting: (settings, client, facts) =>
      noted('accounting', adapter.accounting!(settings, heard(client, asked), facts)),
  }
}
