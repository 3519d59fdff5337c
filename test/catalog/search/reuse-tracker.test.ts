import { expect } from 'chai'
import type { MirrorRow } from '../../../src/catalog/mirror/file/mirror-row.ts'
import { toRow } from '../mirror-rows.ts'
import { openTestMirror } from '../test-mirror.ts'

const REUSE_MS = 500
const SUGGEST_REUSE_MS = 30_000
const CURRENT = Number.POSITIVE_INFINITY

const named = (sku: string, name: string): MirrorRow => toRow(sku, { product: { name } })

describe('results that a search engine reuses after a change', () => {
  function open() {
    let time = 0
    const mirror = openTestMirror({ reuseMs: REUSE_MS, suggestReuseMs: SUGGEST_REUSE_MS, now: () => time })
    const search = (q: string) => {
      const { skus, expiresInMs } = mirror.find({ q, sort: 'name' })
      return [skus.join(' '), expiresInMs]
    }
    const suggest = (text: string) => {
      const { products, expiresInMs } = mirror.suggest({ text, limit: 9 })
      return [products.map(({ sku }) => sku).join(' '), expiresInMs]
    }
    return { mirror, search, suggest, at: (ms: number) => (time = ms), [Symbol.dispose]: mirror[Symbol.dispose] }
  }

  it('say when the reuse ends, and are made again then', () => {
    using opened = open()
    const { mirror, search, at } = opened
    mirror.write([named('A', 'Brake pad')])
    expect(search('brake')).to.deep.equal(['A', CURRENT])
    at(100)
    expect(search('brake')).to.deep.equal(['A', CURRENT])
    mirror.write([named('B', 'Brake shoe')])
    expect(search('brake')).to.deep.equal(['A', REUSE_MS - 100])
    at(REUSE_MS)
    expect(search('brake')).to.deep.equal(['A B', CURRENT])
  })

  it('are not kept when they are new but made of words that were reused', () => {
    using opened = open()
    const { mirror, search, at } = opened
    mirror.write([named('A', 'Brake pad')])
    search('brake')
    at(200)
    mirror.write([named('B', 'Brake pad')])
    expect(search('pad brake')).to.deep.equal(['A', REUSE_MS - 200])
    at(REUSE_MS)
    expect(search('pad brake')).to.deep.equal(['A B', CURRENT])
  })

  it('expire with the spelling that corrected them', () => {
    using opened = open()
    const { mirror, search, at } = opened
    mirror.write([named('A', 'Brake pad')])
    expect(search('bracke')).to.deep.equal(['A', 60_000])
    mirror.write([named('B', 'Radiator')])
    at(REUSE_MS)
    expect(search('raditaor')[0]).to.equal('')
    at(60_000)
    expect(search('raditaor')).to.deep.equal(['B', 60_000])
  })

  it('say so of suggestions too', () => {
    using opened = open()
    const { mirror, suggest, at } = opened
    mirror.write([named('A', 'Brake pad')])
    expect(suggest('brake')).to.deep.equal(['A', CURRENT])
    mirror.write([named('B', 'Brake shoe')])
    at(1_000)
    expect(suggest('brake')).to.deep.equal(['A', SUGGEST_REUSE_MS - 1_000])
    at(SUGGEST_REUSE_MS)
    expect(suggest('brake')).to.deep.equal(['B A', CURRENT])
  })
})
