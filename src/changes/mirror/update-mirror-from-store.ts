import { MirrorDamageError } from '../../catalog/mirror/file/mirror-damage.ts'
import type { MirrorThreads } from '../../catalog/mirror/threads/mirror-threads.ts'
import { type StoreChanges, toVehicleChanges } from '../../catalog/mirror/write/to-mirror-changes.ts'
import { type CatalogProduct, listCatalogProductsAfter } from '../../storage/catalog/catalog-products.ts'
import { readCatalogSequence } from '../../storage/catalog/catalog-sequences.ts'
import { listCatalogDocumentsAfter } from '../../storage/catalog/catalog-taxonomy.ts'
import { listCatalogVehiclesAfter } from '../../storage/catalog/catalog-vehicles.ts'
import { listPopularityAndTimeChangesAfter } from '../../storage/catalog/popularity-and-time-changes.ts'
import { assignOrdinals } from '../../storage/catalog/product-ordinals.ts'
import type { Database } from '../../storage/database.ts'
import { transactInBackground } from '../../storage/transact-in-background.ts'
import type { Tenant } from '../../tenant.ts'

export interface MirrorUpdateParts {
  db: Database
  tenant: Tenant
  /** The file. This process must be its only writer. */
  path: string
  threads: Pick<MirrorThreads, 'apply' | 'readState'>
  /** The most pages to write; without a limit by default. */
  maxPages?: number
  canContinue?(): boolean
  /** Called with the rows of each page, once they are written. */
  onPage?(rows: readonly CatalogProduct[]): void
}

/**
 * The products that one transaction writes. Reading a page and passing it to the thread holds the event loop, 20 µs a product. So pages are
 * small, and grow while the file is far behind, because each of them costs a few queries. Searches continue meanwhile: SQLite's readers do
 * not wait for a writer.
 */
const SMALLEST_PAGE = 100
const LARGEST_PAGE = 500

/**
 * Brings a mirror file up to date with the store, in pages. Returns whether the file has every change that the store had before the last
 * page was read.
 */
export async function updateMirrorFromStore(parts: MirrorUpdateParts): Promise<boolean> {
  const { db, tenant, path, threads, maxPages = Number.POSITIVE_INFINITY, canContinue = () => true, onPage } = parts
  let sequence = await threads.readState(path)
  let size = SMALLEST_PAGE
  for (let page = 0; page < maxPages && canContinue(); page++) {
    const changes = await readNextChanges(db, tenant, sequence, size)
    if (!changes) return true
    if (changes.fill === 'part') size = Math.min(size * 2, LARGEST_PAGE)
    sequence = await threads.apply(path, changes)
    onPage?.(changes.rows ?? [])
  }
  return false
}

/**
 * Reads the next changes of all kinds, without a gap: no missing change has a lower sequence number than a returned one.
 * The newest number is read first, because a change may become visible between two of the queries.
 */
async function readNextChanges(
  db: Database,
  tenant: Tenant,
  after: number,
  size: number,
): Promise<StoreChanges | null> {
  const newest = await readCatalogSequence(db, tenant)
  // The store was restored from a backup, or is another one.
  if (newest < after) throw new MirrorDamageError('the mirror file is ahead of the store')
  if (newest === after) return null
  const listed = await listProductsWithOrdinals(db, tenant, after, size + 1)
  const vehicles = await listCatalogVehiclesAfter(db, tenant, after, size + 1)
  const unlisted = await listPopularityAndTimeChangesAfter(db, tenant, after, size + 1)
  const documents = await listCatalogDocumentsAfter(db, tenant, after)
  const cut = [listed, vehicles, unlisted].filter((list) => list.length > size)
  const ends = cut.map((list) => list[size - 1]!.sequence)
  const isWithin = ({ sequence }: { sequence: number }) => sequence <= Math.min(newest, ...ends)
  const found = [...listed, ...vehicles, ...unlisted, ...documents].filter(isWithin)
  if (found.length === 0) return null
  return {
    sequence: Math.max(...found.map(({ sequence }) => sequence)),
    // What follows a page that was cut is read next, even by another process.
    fill: cut.length > 0 ? 'part' : 'last',
    rows: listed.filter(isWithin),
    unlisted: unlisted.filter(isWithin),
    ...toVehicleChanges(vehicles.filter(isWithin)),
    ...Object.fromEntries(documents.filter(isWithin).map(({ name, document }) => [name, JSON.parse(document)])),
  }
}

/** Assigns ordinals to products that were added by a release which does not do so. */
async function listProductsWithOrdinals(
  db: Database,
  tenant: Tenant,
  after: number,
  limit: number,
): Promise<CatalogProduct[]> {
  for (;;) {
    const listed = await listCatalogProductsAfter(db, tenant, after, limit)
    const skus = listed.filter(({ ordinal }) => ordinal === null).map(({ sku }) => sku)
    if (skus.length === 0) return listed
    // That release may add others meanwhile.
    await transactInBackground(db, tenant, (transaction) => assignOrdinals(transaction, tenant, skus))
  }
}
