import type { CatalogPartName } from '../../src/catalog/mirror/file/catalog-part-names.ts'
import { createImportedReferenceCopyJob } from '../../src/changes/catalog-copies/imported-reference-copy-job.ts'
import { readSystemFitments } from '../../src/changes/catalog-copies/system-fitment-copy.ts'
import type { ChangeJobContext } from '../../src/changes/feed/change-job.ts'
import { markCatalogPartFilled } from '../../src/storage/catalog/catalog-part-states.ts'
import { putCatalogParts } from '../../src/storage/catalog/catalog-products.ts'
import { putCatalogDocument } from '../../src/storage/catalog/catalog-taxonomy.ts'
import type { Database } from '../../src/storage/database.ts'
import { transact } from '../../src/storage/transact.ts'
import type { Tenant } from '../../src/tenant.ts'
import type { BackOffice } from '../../src/upstream/back-office.ts'
import { createRequestScope } from '../../src/upstream/request/request-scope.ts'

export interface FillParts {
  backOffice: BackOffice
  db: Database
  tenant: Tenant
  /** Milliseconds since the epoch. */
  at: number
  /** All products by default. */
  skus?: readonly string[] | undefined
  /** Vehicles are read from the system, one call a product, so they are left out by default. */
  vehicles?: boolean | undefined
}

const PAGE = 200
const ALWAYS: readonly CatalogPartName[] = ['products', 'stock', 'prices', 'taxes', 'categories', 'tags', 'references']

/** The parts that {@link fillCatalog} writes. */
export const filledParts = ({ vehicles }: Pick<FillParts, 'vehicles'>): readonly CatalogPartName[] =>
  vehicles ? [...ALWAYS, 'vehicles'] : ALWAYS

/** Writes the catalog that a back office has into the store, without its change feed. */
export async function fillCatalog({ backOffice, db, tenant, at, skus, vehicles }: FillParts): Promise<void> {
  const instant = new Date(at).toISOString()
  const requestScope = () => createRequestScope({ requestId: 'fill' }, { totalMs: 600_000, reserveMs: 0 })
  const scope = requestScope()
  for await (const page of skus ? [skus] : listSkus(backOffice, scope)) {
    const parts = await readParts(backOffice, page, scope)
    await transact(db, (transaction) => putCatalogParts(transaction, tenant, parts, instant))
  }
  const lists = { categories: await backOffice.categories(scope), tags: await backOffice.tags(scope) }
  for (const name of ['categories', 'tags'] as const) {
    const document = JSON.stringify(required<object[]>(lists[name]))
    await transact(db, (transaction) => putCatalogDocument(transaction, tenant, { name, document }, instant))
  }
  await markCatalogPartFilled(db, tenant, 'products', instant)
  const feed = { db, tenant, backOffice, requestScope, now: () => at, canContinue: () => true }
  // These jobs use nothing else of it.
  const context = feed as Partial<ChangeJobContext> as ChangeJobContext
  await createImportedReferenceCopyJob(context).run()
  while (vehicles && !(await readSystemFitments(context)));
}

async function* listSkus(backOffice: BackOffice, scope: Scope) {
  for (let offset = 0, hasMore = true; hasMore; offset += PAGE) {
    const query = { updated_since: '1970-01-01T00:00:00Z', limit: PAGE, offset }
    const page = required(await backOffice.search(query, scope))
    yield page.skus
    hasMore = page.has_more
  }
}

type Scope = ReturnType<typeof createRequestScope>

async function readParts(backOffice: BackOffice, skus: readonly string[], scope: Scope) {
  const products = await backOffice.products(skus, scope)
  const bands = await backOffice.availability(skus, scope)
  const prices = await backOffice.prices(skus, null, scope)
  const taxes = await backOffice.taxes(skus, null, scope)
  const json = (results: readonly { value: unknown }[], at: number) => JSON.stringify(results[at]!.value)
  return skus.flatMap((sku, at) => {
    const { value, error } = products[at]!
    if (error) throw error
    // A change list may name products that were never for sale.
    if (value === null) return []
    return {
      sku,
      product: json(products, at),
      active: Number(value.active),
      price: json(prices, at),
      price_as_of: null,
      tax: json(taxes, at),
      availability: json(bands, at),
      stock_as_of: null,
    }
  })
}

function required<V>({ value, error }: { value: V | null; error: Error | null }): V {
  if (error) throw error
  return value!
}
