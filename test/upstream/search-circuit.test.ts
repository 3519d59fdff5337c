import { expect } from 'chai'
import { UpstreamError } from '../../src/errors.ts'
import type { Adapter } from '../../src/ports/adapter.ts'
import type { InventoryPort } from '../../src/ports/inventory.ts'
import { createRequestScope } from '../../src/upstream/request/request-scope.ts'
import { createUpstreamRegistry } from '../../src/upstream/upstream-registry.ts'
import { pictureUrls } from '../support/fake-picture-urls.ts'
import { until } from '../support/until.ts'

const SEARCHES = 40
const acme = { merchant: 'acme', mode: 'live' } as const

describe('the circuit of searches', () => {
  /** An inventory whose searches and reads the test steers. */
  function start(limits: { concurrency?: number; searchConcurrency?: number } = {}) {
    let [running, most, mostSearches, searches] = [0, 0, 0, 0]
    const port: Partial<InventoryPort> = { maxSkus: 1, watermarkOverlapSeconds: 0 }
    async function count<T>(work: () => Promise<T>): Promise<T> {
      running += 1
      most = Math.max(most, running)
      return work().finally(() => {
        running -= 1
      })
    }
    let search: () => Promise<never> = () => Promise.reject(new UpstreamError('error', 'too slow'))
    let items: () => Promise<[]> = async () => []
    port.search = () =>
      count(() => {
        searches += 1
        mostSearches = Math.max(mostSearches, searches)
        return search().finally(() => {
          searches -= 1
        })
      })
    port.items = () => count(items)
    const adapter: Adapter = {
      ...{ name: 'fake', settings: {}, ports: ['inventory'] },
      connect: () => ({ inventory: port as InventoryPort }),
    }
    const system = { adapter: 'fake', address: 'http://127.0.0.1:9', settings: {}, maxResponseBytes: 1_000 }
    const upstreams = createUpstreamRegistry({
      merchants: [
        {
          ...{ merchant: 'acme', name: 'Acme', currency: 'JMD', timeZone: 'UTC', bands: { low: 5, hysteresis: 2 } },
          ...{ live: { inventory: { ...system, limits: { timeoutMs: 60_000, ...limits } } }, sandbox: {} },
        },
      ],
      adapters: { fake: adapter },
      cacheBytes: 1_000_000,
      // A circuit stays open for as long as a test takes.
      guardLimits: { openMs: 600_000, maxOpenMs: 600_000 },
      pictureUrls: (_, picture) => pictureUrls(picture),
      embeddedSystemsFor: () => ({}),
    })
    const { backOffice } = upstreams.forTenant(acme)!
    const createScope = () => createRequestScope({ requestId: 'r' }, { totalMs: 60_000, reserveMs: 0 })
    return {
      upstreams,
      search: (q: string) => backOffice.search({ q, limit: 20, offset: 0 }, createScope()),
      read: (sku: string) => backOffice.products([sku], createScope()).then(([result]) => result!),
      states: () => Object.fromEntries(upstreams.states().map(({ circuit, state }) => [circuit, state])),
      running: () => running,
      most: () => [most, mostSearches],
      searches(next: typeof search) {
        search = next
      },
      items(next: typeof items) {
        items = next
      },
    }
  }

  it('opens for failing searches, and product reads go on', async () => {
    const { upstreams, search, read, states } = start()
    for (let n = 0; n < SEARCHES; n += 1) await search(`q${n}`)
    expect(states()).to.deep.equal({ inventory: 'closed', 'inventory-search': 'open' })
    expect((await search('more')).error?.failure).to.equal('circuit_open')
    expect((await read('A')).error).to.equal(null)
    await upstreams[Symbol.asyncDispose]()
  })

  it('leaves searches alone when other reads fail', async () => {
    const { upstreams, read, states, items } = start()
    items(() => Promise.reject(new UpstreamError('error', 'down')))
    for (let n = 0; n < SEARCHES; n += 1) await read(`S${n}`)
    expect(states()).to.deep.equal({ inventory: 'open', 'inventory-search': 'closed' })
    await upstreams[Symbol.asyncDispose]()
  })

  for (const [limits, places, searchPlaces] of [
    [{ concurrency: 4 }, 4, 2],
    [{ concurrency: 4, searchConcurrency: 1 }, 4, 1],
    [{ concurrency: 1 }, 1, 1],
  ] as const)
    it(`gives hanging searches ${searchPlaces} of ${places} places, and all calls together no more than ${places}`, async () => {
      const { upstreams, search, read, running, most, searches, items } = start(limits)
      const latch = Promise.withResolvers<never>()
      searches(() => latch.promise)
      const searching = Array.from({ length: 10 }, (_, n) => search(`q${n}`))
      await until('searches hang', () => running() === searchPlaces)
      if (places > searchPlaces) expect((await read('A')).error).to.equal(null)
      const gate = Promise.withResolvers<[]>()
      items(() => gate.promise)
      const reading = Array.from({ length: 10 }, (_, n) => read(`S${n}`))
      await until('every place is taken', () => running() === places)
      gate.resolve([])
      latch.reject(new UpstreamError('error', 'gave up'))
      await Promise.all([...searching, ...reading])
      expect(most()).to.deep.equal([places, searchPlaces])
      await upstreams[Symbol.asyncDispose]()
    })

  it('is held by its own name', async () => {
    const { upstreams, search, read } = start()
    const hold = { state: 'open', untilMs: Date.now() + 600_000, by: 'ann' } as const
    expect(upstreams.hold(acme, 'inventory-search', hold)).to.equal(true)
    expect([(await search('q')).error?.failure, (await read('A')).error]).to.deep.equal(['circuit_open', null])
    const held = upstreams.states().flatMap(({ circuit, system, held }) => (held ? [[circuit, system, held.by]] : []))
    expect(held).to.deep.equal([['inventory-search', 'inventory', 'ann']])
    await upstreams[Symbol.asyncDispose]()
  })
})
