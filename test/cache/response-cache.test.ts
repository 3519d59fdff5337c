import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip } from 'node:zlib'
import { expect } from 'chai'
import { compressRepresentation, identityRepresentation } from '../../src/cache/representation.ts'
import {
  type CachedResponse,
  cacheStatusOf,
  createResponseCache,
  freshnessPolicies,
  toCacheTimes,
} from '../../src/cache/response-cache.ts'

const LONG = JSON.stringify({ text: 'forecourt '.repeat(500), more: 'é' })

const answerOf = (text: string, storedAt = 0, tags: string[] = [], version = 0): CachedResponse => ({
  route: 'r',
  ...toCacheTimes(freshnessPolicies.catalog, storedAt, Number.POSITIVE_INFINITY),
  cacheControl: 'private, max-age=0',
  complete: true,
  plain: identityRepresentation(text),
  tags,
  version,
  compressed: {},
  refresh: async () => {},
  isRefreshing: false,
})

describe('a representation', () => {
  const etagOf = (bytes: string | Uint8Array) => `"${hash('sha256', bytes, 'base64url')}"`

  it('has a strong ETag of its bytes, and their count', () => {
    expect(identityRepresentation('é')).to.include({ coding: 'identity', body: 'é', bytes: 2, etag: etagOf('é') })
    expect(identityRepresentation(LONG).etag).to.equal(identityRepresentation(LONG).etag)
  })

  it('has another ETag in each coding, and the same content', async () => {
    const plain = identityRepresentation(LONG)
    const [gz, br] = await Promise.all([compressRepresentation(plain, 'gzip'), compressRepresentation(plain, 'br')])
    expect(new Set([plain.etag, gz!.etag, br!.etag]).size).to.equal(3)
    expect([gz!.etag, gz!.bytes]).to.deep.equal([etagOf(gz!.body), Buffer.byteLength(gz!.body)])
    expect(String(await promisify(gunzip)(gz!.body))).to.equal(LONG)
    expect(String(await promisify(brotliDecompress)(br!.body))).to.equal(LONG)
    expect(gz!.bytes).to.be.below(plain.bytes / 10)
  })

  it('is not compressed when too short to gain', async () => {
    expect([
      await compressRepresentation(identityRepresentation('x'.repeat(859)), 'gzip'),
      (await compressRepresentation(identityRepresentation('x'.repeat(860)), 'gzip'))?.coding,
    ]).to.deep.equal([null, 'gzip'])
  })
})

describe('the response cache', () => {
  it('compresses once for many requests, and counts the bytes of each coding', async () => {
    const cache = createResponseCache(1_000_000)
    const answer = answerOf(LONG)
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
    const answer = answerOf('{}')
    expect(await cache.inCoding('a/live', 'k', answer, 'gzip')).to.equal(answer.plain)
    expect(answer.compressed.gzip).to.equal(null)
  })

  it('does not bring back an answer that was replaced while it was compressed', async () => {
    const cache = createResponseCache(1_000_000)
    const [old, renewed] = [answerOf(LONG), answerOf(`${LONG} `)]
    cache.store('a/live', 'k', old)
    const compressing = cache.inCoding('a/live', 'k', old, 'gzip')
    cache.store('a/live', 'k', renewed)
    await compressing
    expect(cache.get('a/live', 'k')).to.equal(renewed)
  })

  it('finds an answer by its exact URL, for its own tenant only', () => {
    const cache = createResponseCache(1_000_000)
    const answer = answerOf('{}')
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

  it('stays under its limit, URLs included', () => {
    const cache = createResponseCache(1_000_000)
    for (let i = 0; i < 5_000; i++) {
      cache.store('a/live', `k${i}`, answerOf(LONG))
      cache.indexUrl('a/live', `/v1/${'x'.repeat(200)}${i}`, `k${i}`)
    }
    expect(cache.bytes).to.be.within(800_000, 1_000_000)
  })

  it('serves an answer as it is, then while it is refreshed, then not at all', () => {
    const states = [0, 9_999, 10_000, 69_999, 70_000].map((now) => cacheStatusOf(answerOf('{}'), now))
    expect(states).to.deep.equal(['hit', 'hit', 'stale', 'stale', 'miss'])
  })

  it('serves no response past the expiry of its data', () => {
    const stateAt = (untilMs: number, now: number) =>
      cacheStatusOf({ ...answerOf('{}'), ...toCacheTimes(freshnessPolicies.catalog, 0, untilMs) }, now)
    expect([stateAt(400, 399), stateAt(400, 400)]).to.deep.equal(['hit', 'miss'])
    expect([stateAt(20_000, 9_999), stateAt(20_000, 19_999), stateAt(20_000, 20_000)]).to.deep.equal([
      'hit',
      'stale',
      'miss',
    ])
  })
})

describe('answers of which a part was invalidated', () => {
  const cache = () => createResponseCache(1_000_000)

  it('are not served again, by key or by URL; other answers are', () => {
    const responses = cache()
    const [list, one, other] = [answerOf('list', 0, ['', 'A', 'B']), answerOf('one', 0, ['A']), answerOf('b', 0, ['B'])]
    responses.store('acme/live', 'list', list)
    responses.store('acme/live', 'one', one)
    responses.store('acme/live', 'other', other)
    responses.store('zenith/live', 'one', one)
    responses.indexUrl('acme/live', '/v1/one', 'one')
    responses.invalidations('acme/live').invalidate(['A'])
    expect(responses.get('acme/live', 'list')).to.equal(undefined)
    expect(responses.getByUrl('acme/live', '/v1/one')).to.equal(undefined)
    expect(responses.get('acme/live', 'other')).to.equal(other)
    expect(responses.get('zenith/live', 'one')).to.equal(one)
  })

  it('are served if requested after the invalidation, not if they only arrived after it', () => {
    const responses = cache()
    const expiries = responses.invalidations('acme/live')
    const before = answerOf('before', 0, ['A'], expiries.version)
    expiries.invalidate(['A'])
    responses.store('acme/live', 'before', before)
    const after = answerOf('after', 0, ['A'], expiries.version)
    responses.store('acme/live', 'after', after)
    expect(responses.get('acme/live', 'before')).to.equal(undefined)
    expect(responses.get('acme/live', 'after')).to.equal(after)
    expiries.invalidate(['B'])
    expect(responses.get('acme/live', 'after')).to.equal(after)
    expiries.invalidate(['A'])
    expect(responses.get('acme/live', 'after')).to.equal(undefined)
  })

  it('are all invalidated when too many tags changed to remember each', () => {
    const responses = cache()
    responses.store('acme/live', 'one', answerOf('one', 0, ['untouched']))
    const expiries = responses.invalidations('acme/live')
    expiries.invalidate(Array.from({ length: 9_000 }, (_, n) => `S${n}`))
    expect(responses.get('acme/live', 'one')).to.not.equal(undefined)
    expiries.invalidate(Array.from({ length: 9_000 }, (_, n) => `T${n}`))
    expect(responses.get('acme/live', 'one')).to.equal(undefined)
    const after = answerOf('after', 0, ['untouched'], expiries.version)
    responses.store('acme/live', 'one', after)
    expect(responses.get('acme/live', 'one')).to.equal(after)
  })
})
