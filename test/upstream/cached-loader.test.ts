import { expect } from 'chai'
import { settled, world } from './cached-loader-setup.ts'

describe('a loader', () => {
  it('serves a fresh value without a call, a stale one while it refreshes behind the answer, an old one never', async () => {
    const { loader, askingOf, asked, pass } = world()
    await loader.load('', ['A'], askingOf())
    pass(999)
    expect((await loader.load('', ['A'], askingOf()))[0]!.value).to.equal('A@1000000')
    expect(asked).to.have.length(1)
    pass(1)
    expect((await loader.load('', ['A'], askingOf()))[0]!.value).to.equal('A@1000000')
    await settled()
    expect(asked).to.have.length(2)
    expect((await loader.load('', ['A'], askingOf()))[0]!.value).to.equal('A@1001000')
    pass(3_000)
    expect((await loader.load('', ['A'], askingOf()))[0]!.value).to.equal('A@1004000')
  })

  it('keeps a good value when the refresh behind it fails, and serves it as last-good with its time', async () => {
    const { loader, askingOf, pass, fails } = world()
    await loader.load('', ['A'], askingOf())
    fails('error')
    pass(2_999)
    expect((await loader.load('', ['A'], askingOf()))[0]).to.deep.equal({
      value: 'A@1000000',
      error: null,
      asOf: 1_000_000,
      system: 'pricing',
    })
    await settled()
    pass(5_000)
    const [late] = await loader.load('', ['A'], askingOf())
    expect([late!.value, late!.asOf, late!.error!.failure]).to.deep.equal(['A@1000000', 1_000_000, 'error'])
    pass(2_002)
    expect((await loader.load('', ['A'], askingOf()))[0]!.value, 'too old to be good').to.equal(null)
  })

  for (const failure of ['timeout', 'unavailable', 'circuit_open', 'invalid', 'overloaded', 'rate_limited'] as const) {
    it(`falls back on the last good value after ${failure}`, async () => {
      const { loader, askingOf, pass, fails } = world()
      await loader.load('', ['A'], askingOf())
      fails(failure)
      pass(3_000)
      const [row] = await loader.load('', ['A'], askingOf())
      expect([row!.value, row!.error!.failure]).to.deep.equal(['A@1000000', failure])
    })
  }

  it('fills each row for itself, in the order asked, doubles too', async () => {
    const { loader, askingOf, asked, answers } = world()
    await loader.load('', ['B'], askingOf())
    answers(async (_, ids) => new Map(ids.filter((id) => id !== 'X').map((id) => [id, id])))
    const rows = await loader.load('', ['A', 'B', 'X', 'A'], askingOf())
    expect(rows.map(({ value }) => value)).to.deep.equal(['A', 'B@1000000', null, 'A'])
    expect(asked[1]!.ids).to.deep.equal(['A', 'X'])
  })

  it('believes in an absence for a few seconds, and a minute when it cannot ask', async () => {
    const { loader, askingOf, asked, answers, pass, fails } = world()
    answers(async () => new Map())
    await loader.load('', ['X'], askingOf())
    pass(4_999)
    expect((await loader.load('', ['X'], askingOf()))[0]).to.include({ value: null, error: null })
    expect(asked).to.have.length(1)
    fails('unavailable')
    pass(1)
    expect((await loader.load('', ['X'], askingOf()))[0]).to.include({ value: null, error: null })
    expect(asked).to.have.length(2)
    pass(60_000)
    expect((await loader.load('', ['X'], askingOf()))[0]!.error!.failure).to.equal('unavailable')
  })

  it('keeps customers, owners and names apart', async () => {
    const { loader, loaderOf, askingOf, answers } = world()
    answers(async (group, ids) => new Map(ids.map((id) => [id, `${group}:${id}`])))
    const other = loaderOf('acme/sandbox')
    answers(async (group, ids) => new Map(ids.map((id) => [id, `${group}:${id}`])))
    const rows = await Promise.all(['', 'C-1', 'C-2'].map((group) => loader.load(group, ['A'], askingOf())))
    expect(rows.flat().map(({ value }) => value)).to.deep.equal([':A', 'C-1:A', 'C-2:A'])
    answers(async () => new Map([['A', 'other']]))
    expect((await other.load('', ['A'], askingOf()))[0]!.value).to.equal('other')
  })

  it('fails for a fault that was asked for, past what is kept, and leaves that alone', async () => {
    const { loader, askingOf, asked } = world()
    await loader.load('', ['A'], askingOf())
    const [faulty] = await loader.load('', ['A'], askingOf({ faults: { pricing: 'timeout' } }))
    expect([faulty!.value, faulty!.error!.failure]).to.deep.equal([null, 'timeout'])
    expect((await loader.load('', ['A'], askingOf({ faults: { inventory: 'error' } })))[0]!.value).to.equal('A@1000000')
    expect(asked).to.have.length(1)
  })

  it('does not lose a question under way to a cache that is emptied', async () => {
    const { loader, askingOf, cache, answers, asked } = world()
    const slow = Promise.withResolvers<Map<string, string>>()
    answers(() => slow.promise)
    const loading = loader.load('', ['A'], askingOf())
    await settled()
    cache.clear()
    slow.resolve(new Map([['A', 'a']]))
    expect([(await loading)[0]!.value, asked[0]!.abandoned]).to.deep.equal(['a', false])
  })

  it('does not fall back on what was purged, while what only expired is still better than nothing', async () => {
    const { loader, askingOf, expiries, fails } = world()
    await loader.load('', ['A', 'B'], askingOf())
    fails('error')
    expiries.invalidate(['A'])
    expiries.purge(['B'])
    const [expired, purged] = await loader.load('', ['A', 'B'], askingOf())
    expect([expired!.value, expired!.error?.failure]).to.deep.equal(['A@1000000', 'error'])
    expect([purged!.value, purged!.error?.failure]).to.deep.equal([null, 'error'])
  })
})
