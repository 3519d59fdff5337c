import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CatalogPartName, catalogPartNames } from '../../src/catalog/mirror/file/catalog-part-names.ts'
import { type MirrorFileReader, openMirrorFileReader } from '../../src/catalog/mirror/read/mirror-file-reader.ts'
import { createMirrorThreads } from '../../src/catalog/mirror/threads/mirror-threads.ts'
import { updateMirrorFromStore } from '../../src/changes/mirror/update-mirror-from-store.ts'
import { type Tenant, tenantKey } from '../../src/tenant.ts'
import type { CatalogMirror, MirrorPartState } from '../../src/upstream/mirror/catalog-mirror.ts'
import { type FillParts, fillCatalog, filledParts } from './fill-catalog.ts'

/** A mirror whose file the test fills at once, from all that a back office has. */
export interface TestCatalogMirror extends CatalogMirror {
  path: string
  /** Mutable: the test says how current each part is. */
  states: Record<CatalogPartName, MirrorPartState>
  /** Reads the back office, writes the store, and follows the store into the file. */
  fill(parts: Omit<FillParts, 'tenant'>): Promise<void>
  close(): Promise<void>
}

export interface CatalogMirrors extends AsyncDisposable {
  forTenant(tenant: Tenant): TestCatalogMirror
}

type PublicUrl = () => string
type Threads = ReturnType<typeof createMirrorThreads>

/** The threads of all mirrors of this process, which end with it: starting those of one API takes a second of CPU. */
let threads: Threads | undefined

export function createCatalogMirrors(publicUrl: PublicUrl): CatalogMirrors {
  const directory = mkdtempSync(join(tmpdir(), 'forecourt-mirrors-'))
  threads ??= createMirrorThreads({ fillsApart: false })
  const mirrorParts = { threads, publicUrl }
  const mirrors = new Map<string, TestCatalogMirror>()
  return {
    forTenant(tenant) {
      const key = tenantKey(tenant)
      const path = join(directory, `${key.replace('/', '-')}.db`)
      const mirror = mirrors.get(key) ?? createTestMirror(tenant, path, mirrorParts)
      mirrors.set(key, mirror)
      return mirror
    },
    async [Symbol.asyncDispose]() {
      for (const mirror of mirrors.values()) await mirror.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

const CACHE_BYTES = 8 * 1_048_576

function createTestMirror(
  tenant: Tenant,
  path: string,
  { threads, publicUrl }: { threads: Threads; publicUrl: PublicUrl },
): TestCatalogMirror {
  const states = Object.fromEntries(
    catalogPartNames.map((name) => [name, { isFilled: false, asOf: 0, failure: null }]),
  ) as TestCatalogMirror['states']
  let opened: MirrorFileReader | null = null
  const reader = () => {
    opened ??= openMirrorFileReader(path, CACHE_BYTES, publicUrl)
    return opened!
  }
  return {
    path,
    states,
    partState: (name) => states[name],
    products: (skus) => reader().products(skus),
    skusOf: (ids) => reader().skusOf(ids),
    text: (sku) => reader().text(sku),
    texts: (ids) => reader().texts(ids),
    findSlug: (slug) => reader().findSlug(slug),
    changes: (query) => reader().changes(query),
    changeTexts: (query) => reader().changeTexts(query),
    countChanges: (after, counted) => reader().countChanges(after, counted),
    categories: (ids) => reader().categories(ids),
    readAllCategories: () => reader().readAllCategories(),
    tags: (tags) => reader().tags(tags),
    vehicleFacet: (query) => reader().vehicleFacet(query),
    vehicle: (id) => reader().vehicle(id),
    fitments: (sku, page) => reader().fitments(sku, page),
    fitmentsOn: (vehicleId, skus) => reader().fitmentsOn(vehicleId, skus),
    references: (sku, customerId) => reader().references(sku, customerId),
    productsByNumber: (number, customerId) => reader().productsByNumber(number, customerId),
    search: (request, signal) => threads.search(path, request, signal),
    suggest: (request, signal) => threads.suggest(path, request, signal),
    async fill(parts) {
      const names = filledParts(parts)
      // Meanwhile reads ask the systems.
      for (const name of names) states[name].isFilled = false
      await fillCatalog({ ...parts, tenant })
      await updateMirrorFromStore({ db: parts.db, tenant, path, threads })
      reader().forget('all')
      for (const name of names) Object.assign(states[name], { isFilled: true, asOf: parts.at, failure: null })
    },
    async close() {
      opened?.[Symbol.dispose]()
      await threads.close(path)
    },
  }
}
