import type { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import { openMirrorForReading } from '../../../src/catalog/mirror/file/mirror-file.ts'
import type { ChangeCount } from '../../../src/catalog/mirror/file/mirror-row.ts'
import { unpackProduct } from '../../../src/catalog/mirror/file/packed-product.ts'
import {
  type ChangedProductReader,
  createChangedProductReader,
} from '../../../src/catalog/mirror/read/changed-product-reader.ts'
import { createProductJson } from '../../../src/catalog/mirror/read/product-json.ts'
import { createSharedValueReader } from '../../../src/catalog/search/columns/shared-values.ts'
import { toRow } from '../mirror-rows.ts'
import { openTestMirror, type TestMirror } from '../test-mirror.ts'

const PRODUCTS = 25
const PART = 10
const page = { limit: 3, offset: 0 }

describe('the changes of a mirror file', () => {
  let mirror: TestMirror
  let database: DatabaseSync
  let reader: ChangedProductReader
  beforeEach(() => {
    mirror = openTestMirror()
    mirror.write(Array.from({ length: PRODUCTS }, (_, at) => toRow(`S-${at + 1}`, { sequence: at + 1 })))
    database = openMirrorForReading(mirror.path)!
    const shared = createSharedValueReader(database)
    reader = createChangedProductReader(
      database,
      {
        unpack: (columns) => unpackProduct(columns, shared),
        toJson: createProductJson(shared, () => ''),
      },
      PART,
    )
  })
  afterEach(() => {
    database.close()
    mirror[Symbol.dispose]()
  })

  const totalAfter = (after: number, { limit, offset } = page) => reader.changes({ after, limit, offset }).total

  it('are counted part by part', () => {
    const counts: ChangeCount[] = [reader.countChanges(1)]
    while (counts.at(-1)!.last !== null) counts.push(reader.countChanges(1, counts.at(-1)))
    expect(counts).to.deep.equal([
      { count: 10, last: 11, sequence: PRODUCTS },
      { count: 20, last: 21, sequence: PRODUCTS },
      { count: 24, last: null, sequence: PRODUCTS },
    ])
    expect([reader.countChanges(PRODUCTS), reader.countChanges(15)]).to.deep.equal([
      { count: 0, last: null, sequence: PRODUCTS },
      { count: 10, last: 25, sequence: PRODUCTS },
    ])
  })

  it('have a total without a count from the first change, page after page, and at the end', () => {
    expect([0, 3, 6].map((after) => totalAfter(after))).to.deep.equal([25, 22, 19])
    expect(totalAfter(0, { limit: 3, offset: 5 })).to.equal(25)
    expect(totalAfter(8)).to.equal(17)
    expect([totalAfter(12), totalAfter(23), totalAfter(30)]).to.deep.equal([null, 2, 0])
  })

  it('have a total after the products that were counted, until one changes', () => {
    let counted = reader.countChanges(12)
    while (counted.last !== null) counted = reader.countChanges(12, counted)
    expect([totalAfter(12), totalAfter(15)]).to.deep.equal([13, 10])
    mirror.write([toRow('S-1', { sequence: 26 })])
    expect([totalAfter(12), totalAfter(15), totalAfter(0)]).to.deep.equal([null, null, 25])
  })
})
