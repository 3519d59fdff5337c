import { expect } from 'chai'
import fc from 'fast-check'
import { createFairCache } from '../../src/cache/fair-cache.ts'

const ENTRY = 400
const costOf = (key: string, bytes: number) => bytes + key.length * 2 + ENTRY

describe('a fair cache', () => {
  it('returns a value to its own tenant only', () => {
    const cache = createFairCache<string>(100_000)
    cache.set('a', 'k', 'of a', 10)
    cache.set('b', 'k', 'of b', 10)
    expect([cache.get('a', 'k'), cache.get('b', 'k'), cache.get('c', 'k'), cache.entries]).to.deep.equal([
      'of a',
      'of b',
      undefined,
      2,
    ])
  })

  it('counts a replaced value once', () => {
    const cache = createFairCache<string>(100_000)
    for (const bytes of [10, 5_000, 0, 70]) cache.set('a', 'k', `${bytes}`, bytes)
    expect([cache.get('a', 'k'), cache.bytes, cache.entries]).to.deep.equal(['70', costOf('k', 70), 1])
  })

  it('stays under its cap, the least recently used going first', () => {
    const cache = createFairCache<number>(10 * costOf('k0', 0))
    for (let i = 0; i < 10; i++) cache.set('a', `k${i}`, i, 0)
    cache.get('a', 'k0')
    cache.set('a', 'ka', 10, 0)
    expect([cache.get('a', 'k0'), cache.get('a', 'k1'), cache.entries]).to.deep.equal([0, undefined, 10])
  })

  it('keeps the entries of others when one tenant sweeps through it', () => {
    const cache = createFairCache<number>(100 * costOf('k00', 0))
    for (let i = 10; i < 40; i++) cache.set('small', `k${i}`, i, 0)
    for (let i = 0; i < 100_000; i++) cache.set('large', `k${i}`, i, 0)
    for (let i = 10; i < 40; i++) expect(cache.get('small', `k${i}`)).to.equal(i)
  })

  it('gives a new tenant its share of a full cache', () => {
    const cache = createFairCache<number>(100 * costOf('k00', 0))
    for (let i = 10; i < 99; i++) cache.set('large', `k${i}`, i, 0)
    for (let i = 10; i < 60; i++) cache.set('late', `k${i}`, i, 0)
    for (let i = 10; i < 60; i++) expect(cache.get('late', `k${i}`)).to.equal(i)
  })

  it('does not cache a value larger than a quarter of it, nor keep the one it replaces', () => {
    const cache = createFairCache<string>(10_000)
    cache.set('a', 'k', 'old', 10)
    cache.set('a', 'k', 'huge', 3_000)
    expect([cache.get('a', 'k'), cache.bytes]).to.deep.equal([undefined, 0])
  })

  it('counts its bytes exactly, whatever is done to it', () => {
    const owner = fc.constantFrom('a', 'b', 'c')
    const key = fc.constantFrom('k1', 'k2', 'k3', 'long-key', 'k5', 'k6')
    const step = fc.oneof(
      { weight: 8, arbitrary: fc.tuple(fc.constant('set' as const), owner, key, fc.nat(3_500)) },
      fc.tuple(fc.constant('get' as const), owner, key, fc.constant(0)),
      fc.tuple(fc.constant('delete' as const), owner, key, fc.constant(0)),
      fc.tuple(fc.constant('clear' as const), owner, key, fc.constant(0)),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const cap = 12_000
        const cache = createFairCache<number>(cap)
        const model = new Map<string, number>()
        for (const [what, of, name, bytes] of steps) {
          if (what === 'set') model.set(`${of} ${name}`, bytes)
          if (what === 'set') cache.set(of, name, bytes, bytes)
          else if (what === 'get') cache.get(of, name)
          else if (what === 'delete') cache.delete(of, name)
          else cache.clear(of)
          let bytesHeld = 0
          let held = 0
          for (const each of ['a', 'b', 'c']) {
            for (const at of ['k1', 'k2', 'k3', 'long-key', 'k5', 'k6']) {
              const value = cache.get(each, at)
              if (value === undefined) continue
              expect(value).to.equal(model.get(`${each} ${at}`))
              bytesHeld += costOf(at, value)
              held += 1
            }
          }
          expect([cache.bytes, cache.entries]).to.deep.equal([bytesHeld, held])
          expect(cache.bytes).to.be.at.most(cap)
        }
      }),
    )
  })
})
