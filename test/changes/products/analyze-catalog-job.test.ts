import { expect } from 'chai'
import { sql } from 'kysely'
import type { ChangeJobContext } from '../../../src/changes/feed/change-job.ts'
import { createAnalyzeCatalogJob } from '../../../src/changes/products/analyze-catalog-job.ts'
import { analyzeCatalog } from '../../../src/storage/analyze-tables.ts'
import { putCatalogParts } from '../../../src/storage/catalog/catalog-products.ts'
import type { Database } from '../../../src/storage/database.ts'
import { transact } from '../../../src/storage/transact.ts'
import { countStatements } from '../../support/count-statements.ts'
import { stores } from '../../support/stores.ts'

const tenant = { merchant: 'acme', mode: 'live' } as const
const skus = Array.from({ length: 300 }, (_, place) => `SKU-${place}`)

for (const store of stores().filter(({ name }) => name === 'PostgreSQL'))
  describe('the statistics of tables in PostgreSQL', () => {
    afterEach(() => store.close())

    it('let it find a product by its SKU in a catalog that was just added', async () => {
      const db = await store.open()
      await sql`alter table catalog_products set (autovacuum_enabled = false)`.execute(db)
      const parts = skus.map((sku) => ({ sku, product: '{}', active: 1 }))
      await transact(db, (transaction) => putCatalogParts(transaction, tenant, parts, new Date().toISOString()))
      await createAnalyzeCatalogJob({ db, tenant } as ChangeJobContext).run()
      expect(await explainLookup(db)).to.include("sku = 'SKU-7'")
    })

    it('are collected once for all merchants that ask for them', async () => {
      const counted = countStatements(await store.open())
      await Promise.all(Array.from({ length: 6 }, () => analyzeCatalog(counted.db)))
      // The timeout and the analysis.
      expect(counted.count()).to.equal(2)
    })
  })

/** Returns the condition by which an index finds a product. */
async function explainLookup(db: Database): Promise<string> {
  const { rows } = await sql<Record<'QUERY PLAN', string>>`
    explain select * from catalog_products where tenant_id = 'acme' and mode = 'live' and sku = 'SKU-7'`.execute(db)
  return rows.map((row) => row['QUERY PLAN']).find((line) => line.includes('Index Cond')) ?? ''
}
