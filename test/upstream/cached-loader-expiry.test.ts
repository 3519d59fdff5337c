import { expect } from 'chai'
import { settled, world } from './cached-loader-setup.ts'

describe('a loader whose source says what has changed', () => {
  it('asks again for that alone, however fresh it is', async () => {
    const { loader, askingOf, asked, expiries } = world()
    await loader.load('', ['A', 'B'], askingOf())
    expiries.invalidate(['A'])
    loader.detachInFlight()
    await loader.load('', ['A', 'B'], askingOf())
    expect(asked.map(({ ids }) => ids)).to.deep.equal([['A', 'B'], ['A']])
    await loader.load('', ['A', 'B'], askingOf())
    expect(asked).to.have.length(2)
  })

  it('asks again in every group', async () => {
    const { loader, askingOf, asked, expiries } = world()
    await loader.load('C-1', ['A'], askingOf())
    await loader.load('C-2', ['A'], askingOf())
    expiries.invalidate(['A'])
    loader.detachInFlight()
    await loader.load('C-1', ['A'], askingOf())
    await loader.load('C-2', ['A'], askingOf())
    expect(asked.map(({ group }) => group)).to.deep.equal(['C-1', 'C-2', 'C-1', 'C-2'])
  })

  it('does not have those who ask after a change join, or be served, what was asked for before it', async () => {
    const { loader, askingOf, asked, answers, expiries } = world()
    const early = Promise.withResolvers<Map<string, string>>()
    const late = Promise.withResolvers<Map<string, string>>()
    answers(() => (asked.length === 1 ? early.promise : late.promise))
    const first = loader.load('', ['A'], askingOf())
    await settled()
    expiries.invalidate(['A'])
    loader.detachInFlight()
    const second = loader.load('', ['A'], askingOf())
    await settled()
    expect(asked).to.have.length(2)
    late.resolve(new Map([['A', 'new']]))
    expect((await second)[0]!.value).to.equal('new')
    early.resolve(new Map([['A', 'old']]))
    expect((await first)[0]!.value).to.equal('old')
    expect((await loader.load('', ['A'], askingOf()))[0]!.value).to.equal('new')
    expect(asked).to.have.length(2)
  })

  it('still abandons what was asked for before a change when the last who waits for it leaves', async () => {
    const { loader, askingOf, asked, answers, expiries } = world()
    answers(() => new Promise(() => {}))
    const early = askingOf()
    const first = loader.load('', ['A'], early)
    await settled()
    expiries.invalidate(['A'])
    loader.detachInFlight()
    const second = askingOf()
    const later = loader.load('', ['A'], second)
    await settled()
    early.leave()
    await first
    expect(asked.map(({ abandoned }) => abandoned)).to.deep.equal([true, false])
    second.leave()
    await later
    expect(asked.map(({ abandoned }) => abandoned)).to.deep.equal([true, true])
  })

  it('does not fall back on what was asked for before a purge, even when that lands after it', async () => {
    for (const tags of [['A'], null]) {
      const { loader, askingOf, answers, fails, expiries, cache } = world()
      const early = Promise.withResolvers<Map<string, string>>()
      answers(() => early.promise)
      const first = loader.load('', ['A'], askingOf())
      await settled()
      if (tags === null) cache.clear('acme/live')
      expiries.purge(tags)
      loader.detachInFlight()
      early.resolve(new Map([['A', 'wrong']]))
      await first
      fails('unavailable')
      const [row] = await loader.load('', ['A'], askingOf())
      expect([row!.value, row!.error!.failure]).to.deep.equal([null, 'unavailable'])
    }
  })

  it('does not go by what was purged', async () => {
    const { loader, askingOf, expiries } = world()
    await loader.load('', ['A', 'B'], askingOf())
    expiries.invalidate(['A', 'B'])
    expiries.purge(['A'])
    expect([loader.lastGood('', 'A'), loader.lastGood('', 'B')]).to.deep.equal([undefined, 'B@1000000'])
  })

  it('falls back on what it had when the source fails then', async () => {
    const { loader, askingOf, fails, expiries } = world()
    await loader.load('', ['A'], askingOf())
    expiries.invalidate(['A'])
    loader.detachInFlight()
    fails('unavailable')
    const [row] = await loader.load('', ['A'], askingOf())
    expect([row!.value, row!.error!.failure]).to.deep.equal(['A@1000000', 'unavailable'])
  })

  it('tells the asker what its answer is made of', async () => {
    const { loader, askingOf } = world()
    const requestScope = askingOf()
    await loader.load('', ['A', 'B', 'A'], requestScope)
    expect([...requestScope.tags]).to.deep.equal(['A', 'B'])
  })
})
