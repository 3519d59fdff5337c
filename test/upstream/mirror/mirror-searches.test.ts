import { expect } from 'chai'
import { LISTS_TAG } from '../../../src/cache/invalidations.ts'
import { createMirrorThreads } from '../../../src/catalog/mirror/threads/mirror-threads.ts'
import type { SearchRequest } from '../../../src/catalog/search/search-request.ts'
import { noMirror } from '../../../src/upstream/mirror/mirror-reader.ts'
import { toRow } from '../../catalog/mirror-rows.ts'
import { openTestMirror } from '../../catalog/test-mirror.ts'
import { createMirrorSetup, MAX_AGE_MS } from './mirror-setup.ts'

const PAGE = { limit: 50, offset: 0 }

describe('searches and lists of a back office with a mirror', () => {
  it('come from the mirror, with all filters of the query', async () => {
    const { backOffice, scope, asked, world, now } = createMirrorSetup()
    const requests: SearchRequest[] = []
    world.search = async (request) => {
      requests.push(request)
      return {
        ids: [1, 2],
        total: 5,
        facets: {},
        corrected: null,
        closest: null,
        expiresInMs: Number.POSITIVE_INFINITY,
      }
    }
    const asking = scope()
    const query = { q: 'pad', category: 'brakes', tag: 'new', skus: ['A', 'B'], vehicle_id: 7, limit: 2, offset: 2 }
    const found = await backOffice.search(query, asking)
    expect(requests).to.deep.equal([
      { q: 'pad', categories: ['brakes'], tags: ['new'], skus: ['A', 'B'], vehicleId: 7, limit: 2, offset: 2 },
    ])
    expect(found).to.deep.include({ error: null, asOf: now(), system: 'inventory', mirrored: true })
    expect(found.value).to.include({ total: 5, has_more: true })
    expect((await backOffice.search({ limit: 2, offset: 3 }, asking)).value?.has_more).to.equal(false)
    await backOffice.search({ q: ' ', limit: 2, offset: 0 }, asking)
    expect(requests.at(-1), 'a blank text is none').to.deep.equal({ limit: 2, offset: 0 })
    expect([...asking.tags]).to.deep.equal([LISTS_TAG])
    expect((await backOffice.tags(asking)).value).to.deep.equal([{ tag: 't', name: 'T', count: 1 }])
    expect((await backOffice.categories(asking)).value).to.deep.equal([])
    expect(asked).to.deep.equal([])
  })

  it('ask an import about a vehicle that the mirror does not have: it knows ids of earlier imports', async () => {
    const { backOffice, scope, asked } = createMirrorSetup({ hasFormerIds: true })
    await backOffice.search({ vehicle_id: 7, limit: 2, offset: 0 }, scope())
    await backOffice.mirror.search({ vehicleId: 7, limit: 2, offset: 0 }, scope())
    expect(asked).to.deep.equal(['search', 'search'])
  })

  it('find the vehicle of an earlier id before they count its facets', async () => {
    const { backOffice, scope, world, inner, vehicles } = createMirrorSetup({ hasFormerIds: true })
    vehicles.set(8, {
      vehicle_id: 8,
      year: 2014,
      make: 'Kia',
      model: 'Rio',
      submodel: null,
      engine: null,
      market: 'JM',
    })
    const requests: SearchRequest[] = []
    world.search = async (request) => {
      requests.push(request)
      return {
        ids: [1],
        total: 1,
        facets: { brand: [] },
        corrected: null,
        closest: null,
        expiresInMs: Number.POSITIVE_INFINITY,
      }
    }
    const found: Record<number, number> = { 7: 8, 9: 10 }
    inner.vehicleItems = async (id) => {
      const vehicle_id = found[id]
      const value = vehicle_id && { skus: ['A'], newest: 0, total: 1, has_more: false, vehicle: { vehicle_id } }
      return { value: (value ?? null) as never, error: null, asOf: 1 }
    }
    const search = (vehicleId: number) => backOffice.mirror.search({ vehicleId, facets: ['brand'], ...PAGE }, scope())
    expect((await search(7)).value).to.deep.include({ skus: ['A'], total: 1, facets: { brand: [] } })
    expect(requests).to.deep.equal([{ vehicleId: 8, facets: ['brand'], ...PAGE }])
    expect((await search(6)).value, 'no such vehicle').to.deep.include({ skus: [], total: 0 })
    const { value, error } = await search(9)
    expect([value, error?.failure], 'newer than the mirror').to.deep.equal([null, 'unavailable'])
  })

  it('ask the systems for what the mirror does not have', async () => {
    const { backOffice, scope, asked, states } = createMirrorSetup()
    const expectAsked = async (what: string, read: Promise<unknown>) => {
      await read
      expect(asked.splice(0), what).to.have.lengthOf(1)
    }
    await expectAsked('a sync', backOffice.search({ updated_since: '2026-01-01T00:00:00Z', ...PAGE }, scope()))
    await expectAsked('a fault', backOffice.search(PAGE, scope({ inventory: 'timeout' })))
    await expectAsked('a fault of tags', backOffice.tags(scope({ inventory: 'timeout' })))
    for (const name of ['vehicles', 'categories', 'tags', 'products'] as const) states[name].isFilled = false
    await expectAsked('unfilled vehicles', backOffice.search({ vehicle_id: 1, ...PAGE }, scope()))
    await expectAsked('unfilled categories', backOffice.categories(scope()))
    await expectAsked('a category of an unfilled tree', backOffice.search({ category: 'brakes', ...PAGE }, scope()))
    states.products.isFilled = true
    expect(
      [{}, { category: [] }, { category: ['brakes'] }, { vehicle_id: 1 }].map(backOffice.mirror.hasPartsOf),
    ).to.deep.equal([true, true, false, false])
    await expectAsked('the same', backOffice.mirror.search({ categories: ['brakes'], facets: [], ...PAGE }, scope()))
    states.products.isFilled = false
    await expectAsked('unfilled tags', backOffice.tags(scope()))
    await expectAsked('unfilled products', backOffice.search(PAGE, scope()))
    expect([backOffice.mirror.state, noMirror.state]).to.deep.equal(['filling', 'off'])
  })

  it('are stale beyond the bound', async () => {
    const { backOffice, scope, pass, now } = createMirrorSetup()
    const at = now()
    pass(MAX_AGE_MS + 1)
    for (const read of [
      backOffice.search(PAGE, scope()),
      backOffice.tags(scope()),
      backOffice.mirror.search(PAGE, scope()),
      backOffice.mirror.suggest({ text: 'x', limit: 5 }, scope()),
    ]) {
      const { value, error, asOf } = await read
      expect([value !== null, error?.failure, asOf]).to.deep.equal([true, 'unavailable', at])
    }
  })

  it('end with their request, which aborts the search', async () => {
    const { backOffice, scope, world } = createMirrorSetup()
    const signals: AbortSignal[] = []
    world.search = (_, signal) => {
      signals.push(signal!)
      return new Promise((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason)))
    }
    const asking = scope()
    const left = backOffice.search(PAGE, asking)
    asking.leave()
    expect((await left).error?.failure).to.equal('aborted')
    const late = await backOffice.mirror.search(PAGE, scope({}, 0))
    expect([late.value, late.error?.failure]).to.deep.equal([null, 'timeout'])
    expect(signals.map(({ aborted }) => aborted)).to.deep.equal([true])
    expect(backOffice.mirror.state, 'the file is well').to.equal('ready')
  })

  it('are refused when too many wait, and the file stays in use', async () => {
    using file = openTestMirror()
    await using threads = createMirrorThreads()
    const { backOffice, scope, asked, world, errors } = createMirrorSetup()
    file.write([toRow('A')])
    world.search = (request, signal) => threads.search(file.path, request, signal)
    const found = await Promise.all(Array.from({ length: 1_100 }, () => backOffice.search(PAGE, scope())))
    const refused = found.filter(({ error }) => error !== null)
    expect(refused.map(({ value, error }) => [value, error?.failure, error?.retryAfterMs])).to.deep.equal(
      Array(99).fill([null, 'overloaded', 1_000]),
    )
    expect((await backOffice.search(PAGE, scope())).value).to.deep.include({ skus: ['A'] })
    expect([asked, errors, backOffice.mirror.state]).to.deep.equal([[], [], 'ready'])
  })

  it('go to the inventory when the file cannot be read', async () => {
    const { backOffice, scope, asked, world, errors, pass } = createMirrorSetup()
    world.search = () => Promise.reject(new Error('the mirror was closed'))
    expect((await backOffice.search(PAGE, scope())).value).to.equal('live search')
    pass(5_000)
    world.live = () => [{ value: { skus: ['A'], newest: 0, total: 1, has_more: false } as never, error: null, asOf: 1 }]
    const { value } = await backOffice.mirror.search({ q: 'pad', ...PAGE, sort: 'relevance' }, scope())
    expect(value).to.deep.include({
      skus: ['A'],
      total: 1,
      facets: {},
      corrected: null,
      closest: null,
    })
    expect([asked.length, errors.length, backOffice.mirror.state]).to.deep.equal([2, 2, 'filling'])
    const sync = await backOffice.mirror.search({ q: 'pad', ...PAGE }, scope(), { usesInventory: false })
    expect([sync.value, sync.error?.failure, asked.length]).to.deep.equal([null, 'unavailable', 2])
    const only = await backOffice.mirror.search({ brands: ['Bosch'], ...PAGE }, scope())
    expect([only.value, only.error?.failure, asked.length]).to.deep.equal([null, 'unavailable', 2])
  })
})

describe('the reader of a mirror', () => {
  it('fails as X-Sandbox-Fault asks', async () => {
    const { backOffice, scope } = createMirrorSetup()
    const { mirror } = backOffice
    const asking = scope({ inventory: 'error' })
    for (const { value, error } of [
      await mirror.search(PAGE, asking),
      await mirror.suggest({ text: 'x', limit: 5 }, asking),
      mirror.changes({ after: 0, limit: 5, offset: 0 }, asking),
      mirror.findSlug('a', asking),
    ])
      expect([value, error?.failure, error?.simulated]).to.deep.equal([null, 'error', true])
  })

  it('finds slugs, and tells changes with the time of the copy', () => {
    const { backOffice, put, scope, states, now, pass, world } = createMirrorSetup()
    put(toRow('A'))
    const { mirror } = backOffice
    expect(mirror.findSlug('a', scope())).to.include({ value: 'A', error: null })
    expect(mirror.findSlug('none', scope())).to.include({ value: null, error: null })
    expect(mirror.changes({ after: 0, limit: 5, offset: 0 }, scope()).value?.asOf).to.equal(now())
    pass(MAX_AGE_MS + 1)
    expect(mirror.findSlug('a', scope()).error?.failure).to.equal('unavailable')
    expect(mirror.findSlug('none', scope())).to.include({ value: null, error: null })
    expect(mirror.changes({ after: 0, limit: 5, offset: 0 }, scope()).value?.asOf).to.equal(states.products.asOf)
    world.fileError = new Error('closed')
    expect(mirror.findSlug('a', scope()))
      .to.include({ value: null })
      .and.to.have.nested.property('error.failure', 'unavailable')
  })
})
