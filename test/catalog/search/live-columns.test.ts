import type { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import { openMirrorForReading } from '../../../src/catalog/mirror/file/mirror-file.ts'
import type { MirrorRow } from '../../../src/catalog/mirror/file/mirror-row.ts'
import { createLiveColumns, type LiveColumns } from '../../../src/catalog/search/columns/live-columns.ts'
import { toRow } from '../mirror-rows.ts'
import { openTestMirror, type TestMirror } from '../test-mirror.ts'

/** Two pages and a part of one. */
const PRODUCTS = 1_200
const numbers = Array.from({ length: PRODUCTS }, (_, number) => number)
const row = (number: number, sequence: number, brand = 'Ozaki') =>
  toRow(`P-${number}`, { sequence, product: { brand } })
const rows = (first: number, brand?: string) => numbers.map((number) => row(number, first + number, brand))
const unlisted = (sku: string, popularity: number, sequence: number) => ({
  sku,
  popularity,
  price_as_of: null,
  stock_as_of: null,
  sequence,
})

describe('the columns of a mirror', () => {
  let mirror: TestMirror
  let database: DatabaseSync
  let live: LiveColumns
  beforeEach(() => {
    mirror = openTestMirror()
    database = openMirrorForReading(mirror.path)!
    live = createLiveColumns(database, () => ({ of: () => 0, refresh: () => false }))
  })
  afterEach(() => {
    database.close()
    mirror[Symbol.dispose]()
  })

  /** Reads one part in each turn, as when a page takes longer than a turn may. */
  function countTurns(): number {
    let turns = 1
    while (!live.refresh(() => true)) turns += 1
    return turns
  }

  function countBrands(): Record<string, number> {
    const { brands } = live.columns
    const codes = live.columns.allActive()
    return Object.fromEntries(
      [...Map.groupBy(codes, (id) => brands.values[live.columns.brand[id]!]!)].map(([name, ids]) => [name, ids.length]),
    )
  }

  it('are read in turns of a page each', () => {
    mirror.write(rows(1))
    expect([countTurns(), live.sequence, countBrands()]).to.deep.equal([3, PRODUCTS, { Ozaki: PRODUCTS }])
    expect(countTurns(), 'nothing has changed').to.equal(1)
  })

  it('read all products of a catalog that was empty in turns of a page each', () => {
    expect([countTurns(), countBrands()]).to.deep.equal([1, {}])
    mirror.write(rows(1))
    expect([countTurns(), countBrands()]).to.deep.equal([3, { Ozaki: PRODUCTS }])
  })

  it('read many changes in turns of a page each, and keep the state that they had until then', () => {
    mirror.write(rows(1))
    live.refresh()
    mirror.write(rows(5_000, 'Brembo'))
    expect([live.refresh(() => true), live.sequence]).to.deep.equal([false, PRODUCTS])
    expect([countTurns(), live.sequence]).to.deep.equal([2, 5_000 + PRODUCTS - 1])
    expect(countBrands()).to.deep.equal({ Brembo: PRODUCTS })
  })

  it('read many changes of popularity in turns of a page each', () => {
    mirror.write(rows(1))
    live.refresh()
    const before = live.columns.rank[1]!
    mirror.write([], { at: 9_000, unlisted: numbers.map((number) => unlisted(`P-${number}`, 3, 5_000 + number)) })
    expect([countTurns(), live.sequence]).to.deep.equal([3, 9_000])
    expect(new Set(live.columns.rank.subarray(1, PRODUCTS + 1))).to.deep.equal(new Set([before + 6]))
  })

  it('read all changes that have the same sequence number', () => {
    mirror.write([row(0, 1)])
    live.refresh()
    const changes: MirrorRow[] = numbers.map((number) => row(number + 1, 7, 'Brembo'))
    mirror.write(changes)
    expect([countTurns(), countBrands()]).to.deep.equal([3, { Ozaki: 1, Brembo: PRODUCTS }])
  })

  for (const turns of [0, 1, 2, 3])
    it(`have the changes that were made after ${turns} of 3 turns`, () => {
      mirror.write(rows(1))
      const areRead = Array.from({ length: turns }, () => live.refresh(() => true))
      expect(areRead).to.deep.equal([false, false, true].slice(0, turns))
      mirror.write([row(0, 5_000, 'Brembo'), row(900, 5_001, 'Brembo'), row(PRODUCTS, 5_002, 'Brembo')], {
        unlisted: [unlisted('P-1', 3, 5_002)],
      })
      live.refresh()
      expect(countBrands()).to.deep.equal({ Ozaki: PRODUCTS - 2, Brembo: 3 })
      expect(live.columns.rank[2]).to.equal(live.columns.rank[3]! + 6)
      mirror.write([row(1, 6_000, 'Brembo')])
      expect([live.refresh(() => true), countBrands()]).to.deep.equal([true, { Ozaki: PRODUCTS - 3, Brembo: 4 }])
    })
})
