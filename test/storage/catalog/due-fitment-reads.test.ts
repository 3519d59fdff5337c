import { expect } from 'chai'
import { putCatalogParts } from '../../../src/storage/catalog/catalog-products.ts'
import { listDueFitments, markFitmentsRead } from '../../../src/storage/catalog/due-fitment-reads.ts'
import type { Database } from '../../../src/storage/database.ts'
import { countStatements } from '../../support/count-statements.ts'
import { stores } from '../../support/stores.ts'

const acme = { merchant: 'acme', mode: 'live' } as const
const READ_AT = '2026-11-02T10:00:00.000Z'
const skus = Array.from({ length: 10 }, (_, at) => `BP-${1_000 + at}`)

for (const store of stores())
  describe(`products whose fitment is to be read on ${store.name}`, () => {
    let db: Database

    const writeProducts = (some: readonly string[], name: string) =>
      putCatalogParts(
        db,
        acme,
        some.map((sku) => ({ sku, product: JSON.stringify({ sku, name }), active: 1 })),
        '2026-11-01T10:00:00.000Z',
      )
    const listSkus = async (isUnread: boolean) =>
      (await listDueFitments(db, acme, isUnread, 100)).map(({ sku }) => sku).sort()

    beforeEach(async () => {
      db = await store.open()
      await writeProducts(skus, 'Brake pad')
    })
    afterEach(() => store.close())

    it('are marked as read by one statement after the lock, however many they are', async () => {
      const due = await listDueFitments(db, acme, true, 100)
      const counted = countStatements(db)
      await markFitmentsRead(counted.db, acme, due, READ_AT)
      expect(counted.count()).to.equal(2)
      expect(await listSkus(false)).to.deep.equal(skus)
    })

    it('stay unread if they have changed since they were listed', async () => {
      const due = await listDueFitments(db, acme, true, 100)
      await writeProducts(['BP-1003'], 'Brake disc')
      await markFitmentsRead(db, acme, due, READ_AT)
      expect(await listSkus(true)).to.deep.equal(['BP-1003'])
    })
  })
