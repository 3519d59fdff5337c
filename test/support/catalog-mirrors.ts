import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { openMirrorForReading } from '../../src/catalog/mirror/mirror-file.ts'
import { PRODUCT_COLUMNS, toProductJson } from '../../src/catalog/mirror/mirror-product-json.ts'
import { createMirrorThreads } from '../../src/catalog/mirror/mirror-threads.ts'
import { type CatalogPartName, catalogPartNames } from '../../src/catalog/mirror/part-names.ts'
import { startMirrorFollower } from '../../src/changes/mirror-follower.ts'
import type { Category, Tag } from '../../src/ports/inventory.ts'
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

function createTestMirror(tenant: Tenant, path: string, threads: Threads): TestCatalogMirror {
  const states = Object.fromEntries(
    catalogPartNames.map((name) => [name, { isFilled: false, asOf: 0, failure: null }]),
  ) as TestCatalogMirror['states']
  const lists = { categories: [] as Category[], tags: [] as Tag[] }
  let database: DatabaseSync | null = null
  const open = () => {
    database ??= openMirrorForReading(path)!
    return database
  }
  return {
    path,
    states,
    partState: (name) => states[name],
    products(skus) {
      const read = open().prepare(`SELECT ${PRODUCT_COLUMNS} FROM products WHERE sku = ?`)
      return skus.map((sku) => {
        const row = read.get(sku)
        return row ? JSON.parse(toProductJson(row as never)) : null
      })
    },
    findSlug: (slug) =>
      (open().prepare('SELECT sku FROM products WHERE slug = ? AND active = 1').get(slug)?.sku as string) ?? null,
    changes: () => ({ products: [], total: 0, has_more: false }),
    categories: () => lists.categories,
    tags: () => lists.tags,
    async search(request, signal) {
      const { products, ...found } = await threads.search(path, request, signal)
      return { ...found, skus: products.map(({ product }) => product.sku) }
    },
    suggest: async () => ({ products: [], categories: [], brands: [], vehicles: [] }),
    async fill(backOffice, db, at) {
      for (const name of FILLED) states[name].isFilled = false
      Object.assign(lists, await writeStore(backOffice, db, tenant, new Date(at).toISOString()))
      await using follower = startMirrorFollower({ db, tenant, path, threads, onError: rethrow, intervalMs: null })
      await follower.poll()
      await threads.apply(path, { sequence: follower.sequence + 1, ...lists })
      for (const name of FILLED) Object.assign(states[name], { isFilled: true, asOf: at, failure: null })
    },
    async close() {
      database?.close()
      await threads.close(path)
    },
  }
}

function rethrow(error: unknown): never {
  throw error
}

const PAGE = 200

/** Writes all products that the back office has into the store. Returns the lists that are mirrored as a whole. */
async function writeStore(backOffice: BackOffice, db: Database, tenant: Tenant, at: string) {
  const scope = createRequestScope({ requestId: 'fill' }, { totalMs: 600_000, reserveMs: 0 })
  for (let offset = 0, hasMore = true; hasMore; offset += PAGE) {
    const query = { updated_since: '1970-01-01T00:00:00Z', limit: PAGE, offset }
    const page = required(await backOffice.search(query, scope))
    for (const parts of await readParts(backOffice, page.skus, scope))
      await transact(db, (transaction) => putCatalogParts(transaction, tenant, parts, at))
    hasMore = page.has_more
  }
  return {
    categories: required(await backOffice.categories(scope)),
    tags: required(await backOffice.tags(scope)),
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
