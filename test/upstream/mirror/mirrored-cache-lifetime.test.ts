import { expect } from 'chai'
import { toRow } from '../../catalog/mirror-rows.ts'
import { createMirrorSetup, MAX_AGE_MS } from './mirror-setup.ts'

const PAGE = { limit: 50, offset: 0 }

describe('responses made of a mirror', () => {
  it('are cached no longer than the oldest of their parts is current', async () => {
    const { backOffice, put, scope, states, now, pass } = createMirrorSetup()
    put(toRow('A', { listPrice: '5.00' }))
    const filledAt = now()
    pass(1_000)
    states.stock.asOf = now()
    const asking = scope()
    expect(asking.cacheableUntil).to.equal(Number.POSITIVE_INFINITY)
    await backOffice.availability(['A'], asking)
    expect(asking.cacheableUntil).to.equal(now() + MAX_AGE_MS)
    for (const read of [
      () => backOffice.products(['A'], asking),
      () => backOffice.tags(asking),
      () => backOffice.search(PAGE, asking),
      () => backOffice.vehicleFacet({ facet: 'year' }, asking),
    ]) {
      await read()
      expect(asking.cacheableUntil).to.equal(filledAt + MAX_AGE_MS)
    }
  })

  it('are cached no longer than a price that has an age of its own is current', async () => {
    const { backOffice, put, scope, now } = createMirrorSetup()
    const pricedAt = now() - 10_000
    put(toRow('A', { listPrice: '5.00', price_as_of: new Date(pricedAt).toISOString() }))
    const asking = scope()
    await backOffice.prices(['A'], null, asking)
    expect(asking.cacheableUntil).to.equal(pricedAt + MAX_AGE_MS)
  })

  it('are not limited by a part that is marked as stale, and is not cached anyway', async () => {
    const { backOffice, put, scope, pass } = createMirrorSetup()
    put(toRow('A'))
    pass(MAX_AGE_MS + 1)
    const asking = scope()
    expect((await backOffice.products(['A'], asking))[0]!.error).to.not.equal(null)
    expect(asking.cacheableUntil).to.equal(Number.POSITIVE_INFINITY)
  })

  it('are cached no longer than a search that reused what was read before a change', async () => {
    const { backOffice, scope, world, now } = createMirrorSetup()
    world.search = async () => ({ ids: [1], total: 1, facets: {}, corrected: null, closest: null, expiresInMs: 400 })
    const asking = scope()
    await backOffice.mirror.search({ q: 'pad', ...PAGE }, asking)
    expect(asking.cacheableUntil).to.equal(now() + 400)
  })
})
