import { expect } from 'chai'
import { createLoaderSetup, settled } from './cached-loader-setup.ts'

describe('a cached loader with invalidations', () => {
  it('reads an invalidated value again, however fresh it is, and no other', async () => {
    const { loader, createScope, asked, invalidations } = createLoaderSetup()
    await loader.load('', ['A', 'B'], createScope())
    invalidations.invalidate(['A'])
    loader.detachInFlight()
    await loader.load('', ['A', 'B'], createScope())
    expect(asked.map(({ ids }) => ids)).to.deep.equal([['A', 'B'], ['A']])
    await loader.load('', ['A', 'B'], createScope())
    expect(asked).to.have.length(2)
  })

  it('reads it again in every group', async () => {
    const { loader, createScope, asked, invalidations } = createLoaderSetup()
    await loader.load('C-1', ['A'], createScope())
    await loader.load('C-2', ['A'], createScope())
    invalidations.invalidate(['A'])
    loader.detachInFlight()
    await loader.load('C-1', ['A'], createScope())
    await loader.load('C-2', ['A'], createScope())
    expect(asked.map(({ group }) => group)).to.deep.equal(['C-1', 'C-2', 'C-1', 'C-2'])
  })

  it('serves later callers nothing that was requested before the invalidation', async () => {
    const { loader, createScope, asked, answers, invalidations } = createLoaderSetup()
    const early = Promise.withResolvers<Map<string, string>>()
    const late = Promise.withResolvers<Map<string, string>>()
    answers(() => (asked.length === 1 ? early.promise : late.promise))
    const first = loader.load('', ['A'], createScope())
    await settled()
    invalidations.invalidate(['A'])
    loader.detachInFlight()
    const second = loader.load('', ['A'], createScope())
    await settled()
    expect(asked).to.have.length(2)
    late.resolve(new Map([['A', 'new']]))
    expect((await second)[0]!.value).to.equal('new')
    early.resolve(new Map([['A', 'old']]))
    expect((await first)[0]!.value).to.equal('old')
    expect((await loader.load('', ['A'], createScope()))[0]!.value).to.equal('new')
    expect(asked).to.have.length(2)
  })

  it('still abandons a call from before the invalidation when its last caller leaves', async () => {
    const { loader, createScope, asked, answers, invalidations } = createLoaderSetup()
    answers(() => new Promise(() => {}))
    const early = createScope()
    const first = loader.load('', ['A'], early)
    await settled()
    invalidations.invalidate(['A'])
    loader.detachInFlight()
    const second = createScope()
    const later = loader.load('', ['A'], second)
    await settled()
    early.leave()
    await first
    expect(asked.map(({ abandoned }) => abandoned)).to.deep.equal([true, false])
    second.leave()
    await later
    expect(asked.map(({ abandoned }) => abandoned)).to.deep.equal([true, true])
  })

  it('does not fall back on a value requested before a purge, even if it arrives later', async () => {
    for (const tags of [['A'], null]) {
      const { loader, createScope, answers, fails, invalidations, cache } = createLoaderSetup()
      const early = Promise.withResolvers<Map<string, string>>()
      answers(() => early.promise)
      const first = loader.load('', ['A'], createScope())
      await settled()
      if (tags === null) cache.clear('acme/live')
      invalidations.purge(tags)
      loader.detachInFlight()
      early.resolve(new Map([['A', 'wrong']]))
      await first
      fails('unavailable')
      const [row] = await loader.load('', ['A'], createScope())
      expect([row!.value, row!.error!.failure]).to.deep.equal([null, 'unavailable'])
    }
  })

  it('does not use a purged value as the previous one', async () => {
    const { loader, createScope, invalidations } = createLoaderSetup()
    await loader.load('', ['A', 'B'], createScope())
    invalidations.invalidate(['A', 'B'])
    invalidations.purge(['A'])
    expect([loader.lastGood('', 'A'), loader.lastGood('', 'B')]).to.deep.equal([undefined, 'B@1000000'])
  })

  it('falls back on an invalidated value when the system fails', async () => {
    const { loader, createScope, fails, invalidations } = createLoaderSetup()
    await loader.load('', ['A'], createScope())
    invalidations.invalidate(['A'])
    loader.detachInFlight()
    fails('unavailable')
    const [row] = await loader.load('', ['A'], createScope())
    expect([row!.value, row!.error!.failure]).to.deep.equal(['A@1000000', 'unavailable'])
  })

  it('adds the tags of its values to the request', async () => {
    const { loader, createScope } = createLoaderSetup()
    const requestScope = createScope()
    await loader.load('', ['A', 'B', 'A'], requestScope)
    expect([...requestScope.tags]).to.deep.equal(['A', 'B'])
  })
})
