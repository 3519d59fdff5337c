import { expect } from 'chai'
import { freshnessPolicies, toCacheTimes } from '../../src/cache/freshness-policy.ts'
import { cacheStatusOf, createResponseCache } from '../../src/cache/response-cache.ts'
import { createCachedResponse } from './create-cached-response.ts'

const LONG = JSON.stringify({ text: 'forecourt '.repeat(500), more: 'é' })

describe('the response cache', () => {
  it('compresses once for many requests, and counts the bytes of each coding', async () => {
    const cache = createResponseCache(1_000_000)
    const answer = createCachedResponse(LONG)
    cache.store('a/live', 'k', answer)
    const before = cache.bytes
    const all = await Promise.all(Array.from({ length: 50 }, () => cache.inCoding('a/live', 'k', answer, 'br')))
    for (const one of all) expect(one).to.equal(all[0])
    expect(cache.bytes).to.equal(before + all[0]!.bytes)
    expect(await cache.inCoding('a/live', 'k', answer, 'br')).to.equal(all[0])
    expect(await cache.inCoding('a/live', 'k', answer, 'identity')).to.equal(answer.plain)
  })

  it('returns the uncompressed bytes of an answer that is too short to compress', async () => {
    const cache = createResponseCache(1_000_000)
    const answer = createCachedResponse('{}')
    expect(await cache.inCoding('a/live', 'k', answer, 'gzip')).to.equal(answer.plain)
    expect(answer.compressed.gzip).to.equal(null)
  })

  it('does not bring back an answer that was replaced while it was compressed', async () => {
    const cache = createResponseCache(1_000_000)
    const [old, renewed] = [createCachedResponse(LONG), createCachedResponse(`${LONG} `)]
    cache.store('a/live', 'k', old)
    const compressing = cache.inCoding('a/live', 'k', old, 'gzip')
    cache.store('a/live', 'k', renewed)
    await compressing
    expect(cache.get('a/live', 'k')).to.equal(renewed)
  })

  it('finds an answer by its exact URL, for its own tenant only', () => {
    const cache = createResponseCache(1_000_000)
    const answer = createCachedResponse('{}')
    cache.store('a/live', 'k', answer)
    cache.indexUrl('a/live', '/v1/x?b=1', 'k')
    cache.indexUrl('b/live', '/v1/x?b=1', 'k')
    cache.indexUrl('a/live', `/v1/x?b=${'1'.repeat(3_000)}`, 'k')
    expect(cache.getByUrl('a/live', '/v1/x?b=1')).to.equal(answer)
    for (const [owner, url] of [
      ['b/live', '/v1/x?b=1'],
      ['a/sandbox', '/v1/x?b=1'],
      ['a/live', '/v1/x'],
      ['a/live', `/v1/x?b=${'1'.repeat(3_000)}`],
    ] as const) {
      expect(cache.getByUrl(owner, url)).to.equal(undefined)
    }
  })

  it('finds no answer with a hint by its URL, also if the one before had none', () => {
    const cache = createResponseCache(1_000_000)
    const [plain, hinted] = [createCachedResponse('{}'), { ...createCachedResponse('{}'), hint: 'Did you mean b=2?' }]
    cache.store('a/live', 'k', plain)
    cache.indexUrl('a/live', '/v1/x?b=1', 'k')
    const before = cache.bytes
    cache.store('a/live', 'k', hinted)
    expect(cache.getByUrl('a/live', '/v1/x?b=1')).to.equal(undefined)
    expect(cache.get('a/live', 'k')).to.equal(hinted)
    expect(cache.bytes).to.equal(before + hinted.hint.length)
    cache.store('a/live', 'k', plain)
    expect(cache.getByUrl('a/live', '/v1/x?b=1')).to.equal(plain)
  })

  it('stays under its limit, URLs included', () => {
    const cache = createResponseCache(1_000_000)
    for (let i = 0; i < 5_000; i++) {
      cache.store('a/live', `k${i}`, createCachedResponse(LONG))
      cache.indexUrl('a/live', `/v1/${'x'.repeat(200)}${i}`, `k${i}`)
    }
    expect(cache.bytes).to.be.within(800_000, 1_000_000)
  })

  it('serves an answer as it is, then while it is refreshed, then not at all', () => {
    const states = [0, 9_999, 10_000, 69_999, 70_000].map((now) => cacheStatusOf(createCachedResponse('{}'), now))
    expect(states).to.deep.equal(['hit', 'hit', 'stale', 'stale', 'miss'])
  })

  it('serves no response past the expiry of its data', () => {
    const stateAt = (untilMs: number, now: number) =>
      cacheStatusOf({ ...createCachedResponse('{}'), ...toCacheTimes(freshnessPolicies.catalog, 0, untilMs) }, now)
    expect([stateAt(400, 399), stateAt(400, 400)]).to.deep.equal(['hit', 'miss'])
    expect([stateAt(20_000, 9_999), stateAt(20_000, 19_999), stateAt(20_000, 20_000)]).to.deep.equal([
      'hit',
      'stale',
      'miss',
    ])
  })
})
