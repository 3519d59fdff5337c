import { expect } from 'chai'
import type { StoreChanges } from '../../../src/catalog/mirror/write/store-rows.ts'
import { followStore } from '../../../src/changes/mirror/mirror-follower.ts'
import { putCatalogParts } from '../../../src/storage/catalog/catalog-products.ts'
import type { Database } from '../../../src/storage/database.ts'
import { transact } from '../../../src/storage/transact.ts'
import { stores } from '../../support/stores.ts'

const tenant = { merchant: 'acme', mode: 'live' } as const
const AT = '2026-03-02T12:00:00.000Z'

describe('following the store', () => {
  const [store] = stores()
  let db: Database
  beforeEach(async () => {
    db = await store!.open()
  })
  afterEach(() => store!.close())

  it('leaves the parsing of products to the thread that writes the file', async () => {
    const product = JSON.stringify({ sku: 'S-1', name: 'pad' })
    await transact(db, (transaction) => putCatalogParts(transaction, tenant, [{ sku: 'S-1', product, active: 1 }], AT))
    const written: StoreChanges[] = []
    const threads = {
      readState: async () => 0,
      async apply(_: string, changes: StoreChanges) {
        written.push(changes)
        return changes.sequence
      },
    }
    expect(await followStore({ db, tenant, path: 'unused', threads })).to.equal(true)
    expect(written.flatMap(({ rows }) => rows?.map((row) => row.product))).to.deep.equal([product])
  })
})
