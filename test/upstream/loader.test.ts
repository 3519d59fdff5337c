import { expect } from 'chai'
import { createFairCache } from '../../src/catalog/fair-cache.ts'
import { UpstreamError, type UpstreamFailure } from '../../src/errors.ts'
import { type Asking, createAsking } from '../../src/upstream/asking.ts'
import { createLoader, type Kept } from '../../src/upstream/loader.ts'
import { until } from '../support/upstream.ts'

const FRESH = { freshMs: 1_000, staleMs: 2_000, lastGoodMs: 10_000 }

function world() {
  let now = 1_000_000
  const asked: { group: string; ids: string[]; abandoned: boolean }[] = []
  let answer: (group: string, ids: string[]) => Promise<Map<string, string>> = async (_, ids) =>
    new Map(ids.map((id) => [id, `${id}@${now}`]))
  const cache = createFairCache<Kept>(1_000_000)
  const loaderOf = (owner: string) =>
    createLoader<string>({
      ...{ system: 'pricing', owner, name: 'price', cache, windowMs: 0, maxIds: 100, now: () => now },
      freshnessOf: () => FRESH,
      ask(group, ids) {
        const call = { group, ids, abandoned: false }
        asked.push(call)
        const { promise, reject } = Promise.withResolvers<never>()
        const abandon = () => {
          call.abandoned = true
          reject(new UpstreamError('aborted', 'left'))
        }
        return { answer: Promise.race([promise, answer(group, ids)]), abandon }
      },
    })
  const askingOf = (of = {}, totalMs = 60_000): Asking =>
    createAsking({ requestId: 'r', ...of }, { totalMs, reserveMs: 0 }, () => now)
  return {
    asked,
    cache,
    loaderOf,
    loader: loaderOf('acme/live'),
    askingOf,
    pass(ms: number) {
      now += ms
    },
    answers(next: typeof answer) {
      answer = next
    },
    fails(failure: UpstreamFailure) {
      answer = () => Promise.reject(new UpstreamError(failure, 'as asked'))
    },
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('a loader', () => {
  it('serves a fresh value without asking, a stale one while it asks behind, an old one never', async () => {
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

  it('answers the one who leaves at once, and gives the question up', async () => {
    const { loader, askingOf, asked, answers } = world()
    answers(() => new Promise(() => {}))
    const asking = askingOf()
    const loading = loader.load('', ['A', 'B'], asking)
    await settled()
    asking.leave()
    expect((await loading).map(({ error }) => error!.failure)).to.deep.equal(['aborted', 'aborted'])
    expect(asked[0]!.abandoned).to.equal(true)
  })

  it('lets one leave without failing the other who wants the same', async () => {
    const { loader, askingOf, asked, answers } = world()
    const slow = Promise.withResolvers<Map<string, string>>()
    answers(() => slow.promise)
    const [leaver, stayer] = [askingOf(), askingOf()]
    const left = loader.load('', ['A'], leaver)
    const stays = loader.load('', ['A'], stayer)
    await settled()
    leaver.leave()
    slow.resolve(new Map([['A', 'a']]))
    expect([(await left)[0]!.error!.failure, (await stays)[0]!.value, asked.length]).to.deep.equal(['aborted', 'a', 1])
  })

  it('waits no longer than the request has time, and gives the question up then', async () => {
    const { loader, askingOf, asked, answers } = world()
    answers(() => new Promise(() => {}))
    const [row] = await loader.load('', ['A'], askingOf({}, 20))
    expect(row!.error!.failure).to.equal('timeout')
    await until(() => asked[0]!.abandoned)
  })

  it('asks nothing for a request that has left or has no time', async () => {
    const { loader, askingOf, asked } = world()
    const gone = askingOf()
    gone.leave()
    expect((await loader.load('', ['A'], gone))[0]!.error!.failure).to.equal('aborted')
    expect((await loader.load('', ['A'], askingOf({}, 0)))[0]!.error!.failure).to.equal('timeout')
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(asked).to.have.length(0)
  })

  it('fails for a fault that was asked for, past what is kept, and leaves that alone', async () => {
    const { loader, askingOf, asked } = world()
    await loader.load('', ['A'], askingOf())
    const [faulty] = await loader.load('', ['A'], askingOf({ faults: { pricing: 'timeout' } }))
    expect([faulty!.value, faulty!.error!.failure]).to.deep.equal([null, 'timeout'])
    expect((await loader.load('', ['A'], askingOf({ faults: { inventory: 'error' } })))[0]!.value).to.equal('A@1000000')
    expect(asked).to.have.length(1)
  })

  it('lets go of an asker who got an answer', async () => {
    const { loader, askingOf } = world()
    const asking = askingOf()
    let listeners = 0
    const counted: Asking = {
      ...asking,
      onLeave(listener) {
        listeners += 1
        asking.onLeave(listener)
      },
      offLeave(listener) {
        listeners -= 1
        asking.offLeave(listener)
      },
    }
    await loader.load('', ['A', 'B'], counted)
    expect(listeners).to.equal(0)
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
})
