import { expect } from 'chai'
import { createLoaderSetup, settled } from './cached-loader-setup.ts'

describe('a cached loader', () => {
  it('serves a fresh value without a call, a stale one while it refreshes behind the answer, an old one never', async () => {
    const { loader, createScope, asked, pass } = createLoaderSetup()
    await loader.load('', ['A'], createScope())
    pass(999)
    expect((await loader.load('', ['A'], createScope()))[0]!.value).to.equal('A@1000000')
    expect(asked).to.have.length(1)
    pass(1)
    expect((await loader.load('', ['A'], createScope()))[0]!.value).to.equal('A@1000000')
    await settled()
    expect(asked).to.have.length(2)
    expect((await loader.load('', ['A'], createScope()))[0]!.value).to.equal('A@1001000')
    pass(3_000)
    expect((await loader.load('', ['A'], createScope()))[0]!.value).to.equal('A@1004000')
  })

  it('reads a value again that was stored before the clock was set back', async () => {
    const { loader, createScope, asked, pass } = createLoaderSetup()
    await loader.load('', ['A'], createScope())
    pass(-1)
    expect((await loader.load('', ['A'], createScope()))[0]!.value).to.equal('A@999999')
    expect(asked).to.have.length(2)
  })

  it('keeps a good value when its refresh fails, and serves it as last-good with its time', async () => {
    const { loader, createScope, pass, fails } = createLoaderSetup()
    await loader.load('', ['A'], createScope())
    fails('error')
    pass(2_999)
    expect((await loader.load('', ['A'], createScope()))[0]).to.deep.equal({
      value: 'A@1000000',
      error: null,
      asOf: 1_000_000,
      system: 'pricing',
    })
    await settled()
    pass(5_000)
    const [late] = await loader.load('', ['A'], createScope())
    expect([late!.value, late!.asOf, late!.error!.failure]).to.deep.equal(['A@1000000', 1_000_000, 'error'])
    pass(2_002)
    expect((await loader.load('', ['A'], createScope()))[0]!.value, 'too old to be good').to.equal(null)
  })

  for (const failure of ['timeout', 'unavailable', 'circuit_open', 'invalid', 'overloaded', 'rate_limited'] as const) {
    it(`falls back on the last good value after ${failure}`, async () => {
      const { loader, createScope, pass, fails } = createLoaderSetup()
      await loader.load('', ['A'], createScope())
      fails(failure)
      pass(3_000)
      const [row] = await loader.load('', ['A'], createScope())
      expect([row!.value, row!.error!.failure]).to.deep.equal(['A@1000000', failure])
    })
  }

  it('fills each row separately, in the order of the keys, duplicates too', async () => {
    const { loader, createScope, asked, answers } = createLoaderSetup()
    await loader.load('', ['B'], createScope())
    answers(async (_, ids) => new Map(ids.filter((id) => id !== 'X').map((id) => [id, id])))
    const rows = await loader.load('', ['A', 'B', 'X', 'A'], createScope())
    expect(rows.map(({ value }) => value)).to.deep.equal(['A', 'B@1000000', null, 'A'])
    expect(asked[1]!.ids).to.deep.equal(['A', 'X'])
  })

  it('caches an absence for a few seconds, and for a minute while the system fails', async () => {
    const { loader, createScope, asked, answers, pass, fails } = createLoaderSetup()
    answers(async () => new Map())
    await loader.load('', ['X'], createScope())
    pass(4_999)
    expect((await loader.load('', ['X'], createScope()))[0]).to.include({ value: null, error: null })
    expect(asked).to.have.length(1)
    fails('unavailable')
    pass(1)
    expect((await loader.load('', ['X'], createScope()))[0]).to.include({ value: null, error: null })
    expect(asked).to.have.length(2)
    pass(60_000)
    expect((await loader.load('', ['X'], createScope()))[0]!.error!.failure).to.equal('unavailable')
  })

  it('keeps customers, tenants and names apart', async () => {
    const { loader, createLoader, createScope, answers } = createLoaderSetup()
    answers(async (group, ids) => new Map(ids.map((id) => [id, `${group}:${id}`])))
    const other = createLoader('acme/sandbox')
    answers(async (group, ids) => new Map(ids.map((id) => [id, `${group}:${id}`])))
    const rows = await Promise.all(['', 'C-1', 'C-2'].map((group) => loader.load(group, ['A'], createScope())))
    expect(rows.flat().map(({ value }) => value)).to.deep.equal([':A', 'C-1:A', 'C-2:A'])
    answers(async () => new Map([['A', 'other']]))
    expect((await other.load('', ['A'], createScope()))[0]!.value).to.equal('other')
  })

  it('fails for a requested fault whatever is cached, and leaves the cache as it is', async () => {
    const { loader, createScope, asked } = createLoaderSetup()
    await loader.load('', ['A'], createScope())
    const [faulty] = await loader.load('', ['A'], createScope({ faults: { pricing: 'timeout' } }))
    expect([faulty!.value, faulty!.error!.failure]).to.deep.equal([null, 'timeout'])
    expect((await loader.load('', ['A'], createScope({ faults: { inventory: 'error' } })))[0]!.value).to.equal(
      'A@1000000',
    )
    expect(asked).to.have.length(1)
  })

  it('does not lose a call under way when the cache is emptied', async () => {
    const { loader, createScope, cache, answers, asked } = createLoaderSetup()
    const slow = Promise.withResolvers<Map<string, string>>()
    answers(() => slow.promise)
    const loading = loader.load('', ['A'], createScope())
    await settled()
    cache.clear()
    slow.resolve(new Map([['A', 'a']]))
    expect([(await loading)[0]!.value, asked[0]!.abandoned]).to.deep.equal(['a', false])
  })

  it('does not fall back on a purged value, but on an invalidated one', async () => {
    const { loader, createScope, invalidations, fails } = createLoaderSetup()
    await loader.load('', ['A', 'B'], createScope())
    fails('error')
    invalidations.invalidate(['A'])
    invalidations.purge(['B'])
    const [expired, purged] = await loader.load('', ['A', 'B'], createScope())
    expect([expired!.value, expired!.error?.failure]).to.deep.equal(['A@1000000', 'error'])
    expect([purged!.value, purged!.error?.failure]).to.deep.equal([null, 'error'])
  })
})
