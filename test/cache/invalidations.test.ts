import { expect } from 'chai'
import { createResponseCache } from '../../src/cache/response-cache.ts'
import { createCachedResponse } from './create-cached-response.ts'

describe('answers of which a part was invalidated', () => {
  const cache = () => createResponseCache(1_000_000)

  it('are not served again, by key or by URL; other answers are', () => {
    const responses = cache()
    const [list, one, other] = [
      createCachedResponse('list', 0, ['', 'A', 'B']),
      createCachedResponse('one', 0, ['A']),
      createCachedResponse('b', 0, ['B']),
    ]
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
    const before = createCachedResponse('before', 0, ['A'], expiries.version)
    expiries.invalidate(['A'])
    responses.store('acme/live', 'before', before)
    const after = createCachedResponse('after', 0, ['A'], expiries.version)
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
    responses.store('acme/live', 'one', createCachedResponse('one', 0, ['untouched']))
    const expiries = responses.invalidations('acme/live')
    expiries.invalidate(Array.from({ length: 9_000 }, (_, n) => `S${n}`))
    expect(responses.get('acme/live', 'one')).to.not.equal(undefined)
    expiries.invalidate(Array.from({ length: 9_000 }, (_, n) => `T${n}`))
    expect(responses.get('acme/live', 'one')).to.equal(undefined)
    const after = createCachedResponse('after', 0, ['untouched'], expiries.version)
    responses.store('acme/live', 'one', after)
    expect(responses.get('acme/live', 'one')).to.equal(after)
  })
})
