import { expect } from 'chai'
import type { KyselyPlugin } from 'kysely'
import type { StoreChanges } from '../../../src/catalog/mirror/write/to-mirror-changes.ts'
import { updateMirrorFromStore } from '../../../src/changes/mirror/update-mirror-from-store.ts'
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
    expect(await updateMirrorFromStore({ db, tenant, path: 'unused', threads })).to.equal(true)
    expect(written.flatMap(({ rows }) => rows?.map((row) => row.product))).to.deep.equal([product])
  })

  it('gives ordinals to all products of a page that an older release added, although others change meanwhile', async () => {
    const skus = Array.from({ length: 502 }, (_, number) => `S-${String(number).padStart(3, '0')}`)
    const put = (added: readonly string[], name: string) => {
      const parts = added.map((sku) => ({ sku, product: JSON.stringify({ name }), active: 1 }))
      return transact(db, (transaction) => putCatalogParts(transaction, tenant, parts, AT))
    }
    await put(skus, 'pad')
    await db.updateTable('catalog_products').set({ ordinal: null }).execute()
    const changed = skus.slice(0, 2)
    // After the first list of products: the next one reaches further.
    const changeTwo: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (result.rows.some((row) => 'ordinal' in row)) await put(changed.splice(0), 'disc')
        return result
      },
    }
    const ordinals: (number | null)[] = []
    const threads = {
      readState: async () => 0,
      async apply(_: string, { rows = [], sequence }: StoreChanges) {
        ordinals.push(...rows.map(({ ordinal }) => ordinal))
        return sequence
      },
    }
    await updateMirrorFromStore({ db: db.withPlugin(changeTwo), tenant, path: 'unused', threads })
    expect(ordinals).to.have.length(502).and.to.not.include(null)
    expect(new Set(ordinals)).to.have.property('size', 502)
  })
})
