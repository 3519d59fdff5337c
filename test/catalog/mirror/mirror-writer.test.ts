import { expect } from 'chai'
import { openMirrorForWriting } from '../../../src/catalog/mirror/file/mirror-file.ts'
import { createMirrorWriter } from '../../../src/catalog/mirror/write/mirror-writer.ts'
import { toRow } from '../mirror-rows.ts'
import { openTestMirror } from '../test-mirror.ts'

describe('a mirror file', () => {
  it('keeps the newer of two versions of a row, in whichever order they come', () => {
    using mirror = openTestMirror()
    const [older, newer] = [
      toRow('S-1', { product: { name: 'old name' } }),
      toRow('S-1', { product: { name: 'new name' } }),
    ]
    mirror.write([newer!])
    mirror.write([older!])
    mirror.write([newer!])
    expect([mirror.find({ q: 'new' }).total, mirror.find({ q: 'old' }).total]).to.deep.equal([1, 0])
  })

  it('forgets the words, numbers and vehicles that a product no longer has', () => {
    using mirror = openTestMirror()
    const reference = { kind: 'OEM' as const, brand: null, number: 'OZ-1', customer_id: null }
    mirror.write([toRow('S-1', { product: { name: 'brake pad', mpn: 'M-1' }, references: [reference], vehicles: [7] })])
    mirror.write([toRow('S-1', { product: { name: 'brake disc', mpn: 'M-2' }, vehicles: [8] })])
    const totals = (requests: object[]) => requests.map((request) => mirror.find(request).total)
    expect(totals([{ q: 'pad' }, { q: 'M1' }, { q: 'OZ1' }, { vehicleId: 7 }])).to.deep.equal([0, 0, 0, 0])
    expect(totals([{ q: 'disc' }, { q: 'M2' }, { vehicleId: 8 }])).to.deep.equal([1, 1, 1])
    mirror.write([toRow('S-1', { product: { active: false } })])
    expect(totals([{ q: 'disc' }, { q: 'M2' }, { vehicleId: 8 }, {}])).to.deep.equal([0, 0, 0, 0])
    mirror.write([toRow('S-1', { product: { name: 'brake disc' }, vehicles: [8] })])
    expect(totals([{ q: 'disc' }, { vehicleId: 8 }, {}])).to.deep.equal([1, 1, 1])
  })

  it('applies a set of changes whole or not at all', () => {
    using mirror = openTestMirror()
    mirror.write([toRow('S-1')])
    const broken = { ...toRow('S-3'), product: null as never }
    expect(() => mirror.write([toRow('S-2'), broken])).to.throw()
    expect(mirror.find({}).skus).to.deep.equal(['S-1'])
    mirror.write([toRow('S-2')])
    expect(mirror.find({}).skus).to.deep.equal(['S-2', 'S-1'])
  })

  it('has no list of a customer number in its words', () => {
    using mirror = openTestMirror()
    const own = { kind: 'CUSTOMER' as const, brand: null, number: 'ownnumber', customer_id: 'C-1' }
    mirror.write([toRow('S-1', { references: [own] })])
    expect(mirror.find({ q: 'ownnumber' }).total).to.equal(0)
    expect(mirror.find({ q: 'ownnumber', customerId: 'C-1' }).total).to.equal(1)
  })

  it('says that its disk is full, and continues when there is room', () => {
    using mirror = openTestMirror()
    using database = openMirrorForWriting(mirror.path)
    const writer = createMirrorWriter(database)
    const rows = Array.from({ length: 200 }, (_, number) => toRow(`S-${number}`, { product: { name: 'brake pad' } }))
    const changes = { sequence: rows.at(-1)!.sequence, rows }
    database.exec('PRAGMA max_page_count = 1')
    expect(() => writer.apply(changes)).to.throw('database or disk is full')
    database.exec('PRAGMA max_page_count = 1000000')
    writer.apply(changes)
    expect(mirror.find({ q: 'pad' }).total).to.equal(200)
  })
})
