import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMirrorThreads } from '../../src/catalog/mirror/mirror-threads.ts'
import { type CatalogPartName, catalogPartNames } from '../../src/catalog/mirror/part-names.ts'
import { openProductReader, type ProductReader } from '../../src/catalog/mirror/product-reader.ts'
import { followStore } from '../../src/changes/mirror-follower.ts'
import { putCatalogDocument } from '../../src/storage/catalog/catalog-documents.ts'
import { type CatalogPart, putCatalogParts } from '../../src/storage/catalog/catalog-products.ts'
import type { Database } from '../../src/storage/database.ts'
import { transact } from '../../src/storage/transact.ts'
import { type Tenant, tenantKey } from '../../src/tenant.ts'
import type { BackOffice } from '../../src/upstream/back-office.ts'
import type { CatalogMirror, MirrorPartState } from '../../src/upstream/catalog-mirror.ts'
import { createRequestScope } from '../../src/upstream/request-scope.ts'

/** A mirror whose file the test fills at once, from all that a back office has. */
export interface TestCatalogMirror extends CatalogMirror {
  path: string
  /** Mutable: the test says how current each part is. */
  states: Record<CatalogPartName, MirrorPartState>
  /** Reads the back office, writes the store, and follows the store into the file. */
  fill(backOffice: BackOffice, db: Database, at: number): Promise<void>
  close(): Promise<void>
}

export interface CatalogMirrors extends AsyncDisposable {
  forTenant(tenant: Tenant): TestCatalogMirror
}

type Threads = ReturnType<typeof createMirrorThreads>

export function createCatalogMirrors(): CatalogMirrors {
  const directory = mkdtempSync(join(tmpdir(), 'forecourt-mirrors-'))
  const threads = createMirrorThreads()
  const mirrors = new Map<string, TestCatalogMirror>()
  return {
    forTenant(tenant) {
      const key = tenantKey(tenant)
      const path = join(directory, `${key.replace('/', '-')}.db`)
      const mirror = mirrors.get(key) ?? createTestMirror(tenant, path, threads)
      mirrors.set(key, mirror)
      return mirror
    },
    async [Symbol.asyncDispose]() {
      for (const mirror of mirrors.values()) await mirror.close()
      await threads[Symbol.asyncDispose]()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

const FILLED: readonly CatalogPartName[] = ['products', 'stock', 'prices', 'taxes', 'categories', 'tags']
const CACHE_BYTES = 8 * 1_048_576

function createTestMirror(tenant: Tenant, path: string, threads: Threads): TestCatalogMirror {
  const states = Object.fromEntries(
    catalogPartNames.map((name) => [name, { isFilled: false, asOf: 0, failure: null }]),
  ) as TestCatalogMirror['states']
  let opened: ProductReader | null = null
  const reader = () => {
    opened ??= openProductReader(path, CACHE_BYTES)
    return opened!
  }
  return {
    path,
    states,
    partState: (name) => states[name],
    products: (skus) => reader().products(skus),
    findSlug: (slug) => reader().findSlug(slug),
    changes: (query) => reader().changes(query),
    categories: () => reader().categories(),
    tags: () => reader().tags(),
    vehicleFacet: (query) => reader().vehicleFacet(query),
    vehicle: (id) => reader().vehicle(id),
    fitments: (sku, page) => reader().fitments(sku, page),
    fitmentsOn: (vehicleId, skus) => reader().fitmentsOn(vehicleId, skus),
    references: (sku, customerId) => reader().references(sku, customerId),
    productsByNumber: (number, customerId) => reader().productsByNumber(number, customerId),
    search: (request, signal) => threads.search(path, request, signal),
    suggest: (request, signal) => threads.suggest(path, request, signal),
    async fill(backOffice, db, at) {
      for (const name of FILLED) states[name].isFilled = false
      await writeStore(backOffice, db, tenant, new Date(at).toISOString())
      await followStore({ db, tenant, path, threads })
      reader().forget('all')
      for (const name of FILLED) Object.assign(states[name], { isFilled: true, asOf: at, failure: null })
    },
    async close() {
      opened?.[Symbol.dispose]()
      await threads.close(path)
    },
  }
}

const PAGE = 200

/** Writes the catalog that the back office has into the store. */
async function writeStore(backOffice: BackOffice, db: Database, tenant: Tenant, at: string) {
  const scope = createRequestScope({ requestId: 'fill' }, { totalMs: 600_000, reserveMs: 0 })
  for (let offset = 0, hasMore = true; hasMore; offset += PAGE) {
    const query = { updated_since: '1970-01-01T00:00:00Z', limit: PAGE, offset }
    const page = required(await backOffice.search(query, scope))
    for (const parts of await readParts(backOffice, page.skus, scope))
      await transact(db, (transaction) => putCatalogParts(transaction, tenant, parts, at))
    hasMore = page.has_more
  }
  const lists = { categories: await backOffice.categories(scope), tags: await backOffice.tags(scope) }
  for (const name of ['categories', 'tags'] as const) {
    const document = JSON.stringify(required<object[]>(lists[name]))
    await transact(db, (transaction) => putCatalogDocument(transaction, tenant, { name, document }, at))
  }
}

async function readParts(backOffice: BackOffice, skus: readonly string[], scope: Parameters<BackOffice['tags']>[0]) {
  const products = await backOffice.products(skus, scope)
  const bands = await backOffice.availability(skus, scope)
  const prices = await backOffice.prices(skus, null, scope)
  const taxes = await backOffice.taxes(skus, null, scope)
  const toParts = (part: (at: number) => CatalogPart) => skus.map((sku, at) => ({ sku, ...part(at) }))
  const json = (results: readonly { value: unknown }[], at: number) => JSON.stringify(results[at]!.value)
  return [
    toParts((at) => ({ product: json(products, at), active: Number(required(products[at]!).active) })),
    toParts((at) => ({ availability: json(bands, at), stock_as_of: null })),
    toParts((at) => ({ price: json(prices, at), tax: json(taxes, at), price_as_of: null })),
  ]
}

function required<V>({ value, error }: { value: V | null; error: Error | null }): V {
  if (error) throw error
  return value!
}
