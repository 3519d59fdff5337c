import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { listCatalogPartSkus } from '../../../src/storage/catalog/catalog-part-skus.ts'
import { listProductDocuments, putCatalogParts } from '../../../src/storage/catalog/catalog-products.ts'
import { markProductsFound, markProductsMissing } from '../../../src/storage/catalog/missing-products.ts'
import {
  clearReadTimes,
  listRefreshRows,
  setReadTime,
} from '../../../src/storage/catalog/price-and-tax-refresh-queries.ts'
import { deleteSalesBefore, sumProductSales } from '../../../src/storage/catalog/product-sales.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { listSkusWithFitments } from '../../../src/storage/fitment/imported-fitment-copy-queries.ts'
import { listSkusWithDescription } from '../../../src/storage/references/imported-reference-copy-queries.ts'
import { listSkusWithReferences } from '../../../src/storage/references/reference-queries.ts'
import { transact } from '../../../src/storage/transact.ts'
import { at, tenant } from '../plans/query-combinations.ts'
import { type PlanStep, recordPlans } from '../plans/record-query-plans.ts'

/** From about twenty values on, SQLite may prefer the order of an index to the values. */
const skus = Array.from({ length: 200 }, (_, number) => `SKU-${number}`)

describe('the queries of many products on SQLite', () => {
  let steps: PlanStep[]

  before(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'forecourt-plans-'))
    const path = join(directory, 'forecourt.db')
    const db = await openDatabase(`sqlite:${path}`)
    steps = await recordPlans(path, async () => {
      const parts = skus.map((sku) => ({ sku, product: '{}', active: 1 }))
      await transact(db, (transaction) => putCatalogParts(transaction, tenant, parts, at))
      await transact(db, (transaction) => markProductsMissing(transaction, tenant, skus, at))
      await transact(db, (transaction) => markProductsFound(transaction, tenant, skus))
      await listProductDocuments(db, tenant, skus)
      await listRefreshRows(db, tenant, 'price', skus)
      await transact(db, (transaction) => setReadTime(transaction, tenant, 'price', skus, at))
      await transact(db, (transaction) => clearReadTimes(transaction, tenant, skus))
      await sumProductSales(db, tenant, skus)
      await transact(db, (transaction) => deleteSalesBefore(transaction, tenant, skus, 1))
      await listSkusWithReferences(db, 1, skus)
      await listSkusWithFitments(db, 1, skus)
      await listSkusWithDescription(db, 1, skus)
      await listCatalogPartSkus(db, tenant, 'description', 'A', 9)
    })
    await db.destroy()
    await rm(directory, { recursive: true })
  })

  // The few missing products, and those with an imported description, have indexes of their own.
  it('find each of them by its SKU, instead of reading the whole catalog', () => {
    for (const table of [
      'catalog_products',
      'product_sales',
      'product_references',
      'product_descriptions',
      'fitments',
    ]) {
      const reads = steps.filter(({ detail }) => new RegExp(`^(?:SCAN|SEARCH) ${table}\\b`).test(detail))
      expect(reads, table).to.not.be.empty
      for (const { detail, sql } of reads)
        expect(detail, sql).to.match(/ sku=\?|INDEX catalog_products_(?:missing|described)/)
    }
  })
})
