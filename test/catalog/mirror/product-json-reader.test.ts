import { expect } from 'chai'
import { openMirrorFileReader } from '../../../src/catalog/mirror/read/mirror-file-reader.ts'
import { toRow } from '../mirror-rows.ts'
import { openTestMirror } from '../test-mirror.ts'

const CACHE_BYTES = 1_048_576

describe('the products of a mirror file', () => {
  it('fill no memory when each is read once', () => {
    using mirror = openTestMirror()
    const skus = Array.from({ length: 100 }, (_, index) => `S-${index}`)
    mirror.write(skus.map((sku) => toRow(sku)))
    using reader = openMirrorFileReader(mirror.path, CACHE_BYTES)!
    for (const sku of skus) expect(reader.products([sku])[0]?.product.sku).to.equal(sku)
    expect(reader.bytes).to.equal(0)
    reader.products(skus.slice(0, 10))
    expect(reader.bytes).to.be.above(0)
  })

  it('are read again after a change', () => {
    using mirror = openTestMirror()
    mirror.write([toRow('S-1', { product: { name: 'old' } })])
    using reader = openMirrorFileReader(mirror.path, CACHE_BYTES)!
    const readName = () => reader.products(['S-1', 'S-1'])[0]!.product.name
    expect([readName(), readName()]).to.deep.equal(['old', 'old'])
    mirror.write([{ ...toRow('S-1', { product: { name: 'new' } }), sequence: 1_000_000 }])
    reader.forget(['S-1'])
    expect(readName()).to.equal('new')
  })

  it('can be read after a read that failed', () => {
    using mirror = openTestMirror()
    mirror.write([toRow('S-1'), toRow('S-2')])
    using reader = openMirrorFileReader(mirror.path, CACHE_BYTES)!
    const notText = Symbol('a SKU') as unknown as string
    expect(() => reader.products(['S-1', notText])).to.throw()
    expect(reader.products(['S-1', 'S-2']).map((row) => row?.product.sku)).to.deep.equal(['S-1', 'S-2'])
  })
})
