import { setTimeout as pause } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { catalogPartNames } from '../../src/catalog/mirror/file/catalog-part-names.ts'
import type { Category } from '../../src/ports/inventory.ts'
import type { Forecourt } from '../../src/runtime/start.ts'
import { markCatalogPartFilled, markCatalogPartRead } from '../../src/storage/catalog/catalog-part-states.ts'
import { putCatalogParts } from '../../src/storage/catalog/catalog-products.ts'
import { putCatalogDocument } from '../../src/storage/catalog/catalog-taxonomy.ts'
import type { Database } from '../../src/storage/database.ts'
import { transact } from '../../src/storage/transact.ts'
import { itemRow, priceRow, taxRow } from './upstream-rows.ts'

/** A catalog for the mirror: the products HB-2210, SKU-1, SKU-2 …, the same that the stubs have. */
export interface MirrorFill {
  products: number
  categories: number
}

const TENANT = { merchant: 'bench', mode: 'live' } as const
const PER_TRANSACTION = 500

/** Writes a catalog into the store, and waits until the mirror has it. */
export async function fillMirror({ db, upstreams }: Forecourt, fill: MirrorFill): Promise<void> {
  const at = new Date().toISOString()
  for (let first = 0; first < fill.products; first += PER_TRANSACTION) {
    const count = Math.min(PER_TRANSACTION, fill.products - first)
    const numbers = Array.from({ length: count }, (_, index) => first + index)
    await transact(db, async (transaction) => {
      await putCatalogParts(
        transaction,
        TENANT,
        numbers.map((number) => toParts(number, fill.categories)),
        at,
      )
    })
  }
  await transact(db, (transaction) => putCategories(transaction, fill.categories, at))
  for (const name of catalogPartNames) {
    await markCatalogPartRead(db, TENANT, name, at)
    await markCatalogPartFilled(db, TENANT, name, at)
  }
  const { backOffice } = upstreams.forTenant(TENANT)!
  while (backOffice.mirror.state !== 'ready') await pause(50)
}

const toCategory = (number: number): Category => {
  const id = `cat-${number}`
  return { category_id: id, name: id, slug: id, parent_id: null, position: number, product_count: null }
}

function putCategories(transaction: Database, count: number, at: string): Promise<boolean> {
  const document = JSON.stringify(Array.from({ length: count }, (_, number) => toCategory(number)))
  return putCatalogDocument(transaction, TENANT, { name: 'categories', document }, at)
}

function toParts(number: number, categories: number) {
  const sku = number === 0 ? 'HB-2210' : `SKU-${number}`
  const { product } = JSON.parse(itemRow(sku, ['product']))
  const id = `cat-${crc32(sku) % categories}`
  return {
    sku,
    active: 1,
    product: JSON.stringify({ ...product, categories: [{ category_id: id, name: id, slug: id }] }),
    price: priceRow(sku),
    price_as_of: null,
    tax: taxRow(sku),
    availability: '{"band":"IN_STOCK","eta":null}',
    stock_as_of: null,
  }
}
