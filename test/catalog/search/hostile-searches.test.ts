import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { expect } from 'chai'
import fc from 'fast-check'
import { openMirrorForReading } from '../../../src/catalog/mirror/file/mirror-file.ts'
import { createSearchEngine } from '../../../src/catalog/search/search-engine.ts'
import { FACETS, type SearchRequest } from '../../../src/catalog/search/search-request.ts'
import { codePoint } from '../../support/code-point.ts'
import { openDemoMirror } from '../demo-mirror.ts'
import type { TestMirror } from '../test-mirror.ts'

/** More than any search on the demo's catalog needs. */
const MAX_STATEMENTS = 400

const word = (number: number) =>
  Array.from({ length: 6 }, (_, digit) => 'bcdfghjkmn'[Math.floor(number / 10 ** digit) % 10]).join('e')

describe('a hostile search', () => {
  let mirror: TestMirror
  before(() => {
    mirror = openDemoMirror()
  })
  after(() => mirror[Symbol.dispose]())

  it('runs few statements, however many words it has', () => {
    const manyWords = Array.from({ length: 10_000 }, (_, number) => word(number)).join(' ')
    const vehicleNames = mirror.suggest({ text: 'c', limit: 100 }).vehicles.map(({ label }) => label)
    const known = mirror.find({ limit: 200 }).skus.map((sku) => mirror.nameOf(sku))
    for (const q of [
      manyWords,
      known.join(' '),
      vehicleNames.join(' '),
      `${vehicleNames.toReversed().join(' 2010 ')} zzzz`,
      `camry ${Array.from({ length: 2_000 }, (_, year) => 1900 + (year % 200)).join(' ')}`,
      'brake '.repeat(10_000),
      'toyota-camry/'.repeat(10_000),
      'a'.repeat(1_000_000),
      '1'.repeat(1_000_000),
      '20w50'.repeat(10_000),
      '刹'.repeat(10_000),
    ]) {
      using counted = openCounted(mirror.path)
      counted.engine.search({ q, limit: 50, offset: 0, facets: FACETS })
      counted.engine.suggest({ text: q, limit: 10 })
      expect(counted.statements(), q.slice(0, 20)).to.be.below(MAX_STATEMENTS)
    }
  })

  it('reads no rows for a page behind the last one, in every order', () => {
    for (const sort of ['relevance', 'name', 'price', '-price', 'newest'] as const) {
      using counted = openCounted(mirror.path)
      counted.engine.search({ limit: 1, offset: 0 })
      const before = counted.rows()
      const { ids, total } = counted.engine.search({ sort, limit: 200, offset: 2 ** 31 })
      expect([ids, total > 0]).to.deep.equal([[], true])
      expect(counted.rows() - before, sort).to.be.below(20)
    }
  })

  it('finds nothing between a minimum and a lower maximum, or beyond every number', () => {
    const ranges: Partial<SearchRequest>[] = [
      { minPrice: 10, maxPrice: 5 },
      { minPrice: Number.NaN },
      { minPrice: Number.POSITIVE_INFINITY },
      { maxPrice: -1 },
      { maxPrice: Number.NEGATIVE_INFINITY },
    ]
    for (const range of ranges) expect(mirror.find({ ...range, facets: FACETS }).total).to.equal(0)
  })

  it('takes hundreds of values of each filter', () => {
    const values = (prefix: string) => Array.from({ length: 500 }, (_, number) => `${prefix}${number}`)
    const found = mirror.find({
      categories: ['braking', ...values('category-'), ...values('')],
      brands: values('brand '),
      tags: values('tag '),
      skus: values('BP-1'),
      bands: Array.from({ length: 500 }, () => 'LOW' as const),
      facets: FACETS,
    })
    expect(found.total).to.equal(0)
    const { total } = mirror.find({ categories: ['braking', ...values('none-')] })
    expect(total)
      .to.equal(mirror.find({ categories: ['braking'] }).total)
      .and.to.be.above(0)
  })

  it('is text, whatever it contains', () => {
    const syntax = fc.constantFrom(
      'AND',
      'OR',
      'NOT',
      'NEAR(',
      ')',
      '"',
      "'",
      '*',
      '^',
      ':',
      '-',
      '+',
      '{',
      'text:',
      '\0',
      '\uD800',
      '\uDC00',
      'make:',
      'name:brake',
      'category:',
      '%',
      '\\',
      '\u{10FFFF}',
      '\u0301',
      'ﷺ',
      'İ',
      '½',
      '２０ｗ５０',
    )
    const text = fc
      .array(
        fc.oneof(
          syntax,
          fc.string({ unit: codePoint, maxLength: 12 }),
          fc.constantFrom('brake', 'pad', '2010', 'camry'),
        ),
        { maxLength: 12 },
      )
      .map((parts) => parts.join(' '))
    const request = fc.record(
      {
        q: text,
        categories: fc.array(text, { maxLength: 3 }),
        tags: fc.array(text, { maxLength: 3 }),
        brands: fc.array(text, { maxLength: 3 }),
        skus: fc.array(text, { maxLength: 3 }),
        minPrice: fc.double(),
        maxPrice: fc.double(),
        vehicleId: fc.maxSafeInteger(),
        customerId: text,
        sort: fc.constantFrom(
          'relevance' as const,
          'name' as const,
          'price' as const,
          '-price' as const,
          'newest' as const,
        ),
        facets: fc.subarray([...FACETS]),
        offset: fc.constantFrom(0, 1, 100_000, 2 ** 31, 2 ** 40),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(request, (parts) => {
        const { skus, total } = mirror.find({ limit: 20, ...parts })
        expect(skus.length).to.be.at.most(Math.min(20, total))
        expect(new Set(skus).size).to.equal(skus.length)
      }),
    )
  })
})

/** Opens a mirror, and counts the statements that an engine runs, and the rows that it reads. */
function openCounted(path: string) {
  const database = openMirrorForReading(path)!
  const work = { statements: 0, rows: 0 }
  const counted = {
    exec: (sql: string) => database.exec(sql),
    prepare: (sql: string) => countWork(database.prepare(sql), work),
  } as unknown as DatabaseSync
  const engine = createSearchEngine(counted, { reuseMs: 0, suggestReuseMs: 0 })
  return {
    engine,
    statements: () => work.statements,
    rows: () => work.rows,
    [Symbol.dispose]: () => database.close(),
  }
}

function countWork(statement: StatementSync, work: { statements: number; rows: number }) {
  const count = <T>(value: T, rows: number): T => {
    work.statements += 1
    work.rows += rows
    return value
  }
  return {
    setReturnArrays: (on: boolean) => statement.setReturnArrays(on),
    get: (...values: never[]) => count(statement.get(...values), 1),
    all: (...values: never[]) => {
      const rows = statement.all(...values)
      return count(rows, rows.length)
    },
    *iterate(...values: never[]) {
      count(null, 0)
      for (const row of statement.iterate(...values)) {
        work.rows += 1
        yield row
      }
    },
  }
}
