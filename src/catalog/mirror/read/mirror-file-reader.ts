import type { DatabaseSync } from 'node:sqlite'
import { LRUCache } from 'lru-cache'
import { createRecentKeys } from '../../../cache/recent-keys.ts'
import { createSharedValueReader, type SharedValues } from '../../search/columns/shared-values.ts'
import { MirrorDamageError, namingDamage } from '../file/mirror-damage.ts'
import { openMirrorForReading } from '../file/mirror-file.ts'
import type { MirrorProduct } from '../file/mirror-row.ts'
import { PACKED_COLUMNS, type PackedProduct, unpackProduct } from '../file/packed-product.ts'
import { toPictureUrls } from '../file/picture-paths.ts'
import { createSnapshotReads } from '../file/snapshot-reads.ts'
import { createVehicleReader, type VehicleMirror } from '../vehicles/vehicle-and-fitment-reader.ts'
import { type ChangedProductReader, createChangedProductReader } from './changed-product-reader.ts'
import { createProductJson, createProductJsonReader, type ProductJsonReader } from './product-json.ts'
import { createNumberReader, type NumberMirror } from './product-number-reader.ts'
import { createTaxonomyReader, type TaxonomyReader } from './taxonomy-reader.ts'

/** The reads of one mirror file that need no search. They run in the caller's thread, and take microseconds each. */
export interface MirrorFileReader
  extends VehicleMirror,
    NumberMirror,
    ProductJsonReader,
    ChangedProductReader,
    TaxonomyReader,
    Disposable {
  /** The sequence number of the newest change in the file. */
  readSequence(): number
  /** The sequence number of the newest change after which other products may have other references. */
  readReferencesSequence(): number
  /** Returns true until the products of a new file can be found. */
  isBeingFilled(): boolean
  /** The number of SKUs, including withdrawn ones. */
  countRows(): number
  products(skus: readonly string[]): (MirrorProduct | null)[]
  /** Returns the SKUs of ids, in their order. */
  skusOf(ids: readonly number[]): string[]
  findSlug(slug: string): string | null
  /** Returns the SKUs that changed after a sequence number, at most `limit`. */
  listChangedSkus(after: number, limit: number): string[]
  /** Returns the SKUs of which the popularity, or the time of the price or the band, changed after a sequence number. */
  listUnlistedChanges(after: number): string[]
  /** Forgets parsed products, because they have changed. */
  forget(skus: readonly string[] | 'all'): void
  /** Bytes of parsed products in memory. */
  readonly bytes: number
}

/** A parsed product takes about this much more than its own texts. */
const ENTRY_BYTES = 1_024
const BYTES_PER_CHARACTER = 3

interface CachedProduct {
  product: MirrorProduct | null
  bytes: number
}

/**
 * Opens the reader of a file. Returns `null` when the file has no tables yet. `cacheBytes`: the memory for parsed products. `publicUrl`: begins
 * the URLs of pictures; without one, products have the paths.
 */
export const openMirrorFileReader = namingDamage(
  (path: string, cacheBytes: number, publicUrl: PublicUrl = () => ''): MirrorFileReader | null => {
    const database = openMirrorForReading(path)
    return database && createProductReader(database, cacheBytes, publicUrl)
  },
)

/** Returns the URL of this process's API for browsers, which is known once the API listens. */
export type PublicUrl = () => string

function createProductReader(database: DatabaseSync, cacheBytes: number, publicUrl: PublicUrl): MirrorFileReader {
  const product = database.prepare(`SELECT ${PACKED_COLUMNS} FROM products WHERE sku = ?`)
  const skus = database.prepare(
    'SELECT sku FROM json_each(?) AS listed CROSS JOIN products ON products.id = listed.value',
  )
  skus.setReturnArrays(true)
  const slug = database.prepare('SELECT sku FROM products WHERE slug = ? AND active = 1 ORDER BY id LIMIT 1')
  // Limits are expressions: a bare variable makes SQLite prepare the statement again for each read.
  const changed = database.prepare('SELECT sku FROM products WHERE sequence > ? ORDER BY sequence LIMIT ? + 0')
  const unlisted = database.prepare('SELECT sku FROM products WHERE popularity_sequence > ?')
  const state = database.prepare('SELECT value FROM state WHERE name = ?')
  const readState = (name: 'sequence' | 'references' | 'rows' | 'filling') =>
    (state.get(name) as { value: number } | undefined)?.value ?? 0
  const taxonomy = createTaxonomyReader(database)
  const shared = createSharedValueReader(database)
  const inSnapshot = createSnapshotReads(database)
  const unpack = createUnpack(shared, publicUrl)
  const toJson = createProductJson(shared, publicUrl)
  const changes = createChangedProductReader(database, { unpack, toJson })
  const vehicles = createVehicleReader(database, shared)
  const numbers = createNumberReader(database)
  const texts = createProductJsonReader(database, toJson)
  const cache = new LRUCache<string, CachedProduct>({ maxSize: cacheBytes, sizeCalculation: ({ bytes }) => bytes })

  // A walk over the catalog fills no memory with products that nobody reads again.
  const wasReadBefore = createRecentKeys()

  function read(sku: string): MirrorProduct | null {
    const known = cache.get(sku)
    if (known) return known.product
    const columns = product.get(sku) as PackedProduct | undefined
    const found = columns ? unpack(columns) : null
    const characters = columns ? columns.product.length + (columns.price?.length ?? 0) + columns.name.length : 0
    if (wasReadBefore(sku))
      cache.set(sku, { product: found, bytes: characters * BYTES_PER_CHARACTER + sku.length + ENTRY_BYTES })
    return found
  }

  return {
    readSequence: namingDamage(() => readState('sequence')),
    readReferencesSequence: namingDamage(() => readState('references')),
    isBeingFilled: namingDamage(() => readState('filling') > 0),
    countRows: namingDamage(() => readState('rows')),
    products: namingDamage((skus) => (skus.length === 1 ? [read(skus[0]!)] : inSnapshot(() => skus.map(read)))),
    skusOf: namingDamage((ids) => (skus.all(JSON.stringify(ids)) as unknown as [string][]).map(([sku]) => sku)),
    text: namingDamage(texts.text),
    texts: namingDamage(texts.texts),
    findSlug: namingDamage((text) => (slug.get(text) as { sku: string } | undefined)?.sku ?? null),
    changes: namingDamage(changes.changes),
    changeTexts: namingDamage(changes.changeTexts),
    countChanges: namingDamage(changes.countChanges),
    categories: namingDamage(taxonomy.categories),
    readAllCategories: namingDamage(taxonomy.readAllCategories),
    tags: namingDamage(taxonomy.tags),
    vehicleFacet: namingDamage(vehicles.vehicleFacet),
    vehicle: namingDamage(vehicles.vehicle),
    fitments: namingDamage(vehicles.fitments),
    fitmentsOn: namingDamage(vehicles.fitmentsOn),
    references: namingDamage(numbers.references),
    productsByNumber: namingDamage(numbers.productsByNumber),
    listChangedSkus: namingDamage((after, limit) =>
      (changed.all(after, limit) as { sku: string }[]).map(({ sku }) => sku),
    ),
    listUnlistedChanges: namingDamage((after) => (unlisted.all(after) as { sku: string }[]).map(({ sku }) => sku)),
    forget(skus) {
      if (skus === 'all') cache.clear()
      else for (const sku of skus) cache.delete(sku)
    },
    get bytes() {
      return cache.calculatedSize
    },
    [Symbol.dispose]: () => database.close(),
  }
}

type Unpack = (columns: PackedProduct) => MirrorProduct

/** SQLite has no checksums: overwritten bytes of a row may become a text that is not JSON. */
function createUnpack(shared: SharedValues, publicUrl: PublicUrl): Unpack {
  return (columns) => {
    try {
      const row = unpackProduct(columns, shared)
      if (row.product.media) row.product.media = toPictureUrls(row.product.media, publicUrl())
      return row
    } catch (cause) {
      throw new MirrorDamageError('a row of the mirror file is malformed', { cause })
    }
  }
}
