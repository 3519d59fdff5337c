import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import {
  deleteMirror,
  nextMirror,
  prepareMirrorFolder,
  setCurrentMirror,
  useMirror,
} from '../../catalog/mirror/file/mirror-folder.ts'
import type { MirrorProduct, MirrorRow } from '../../catalog/mirror/file/mirror-row.ts'
import { type MirrorFileReader, openMirrorFileReader } from '../../catalog/mirror/read/mirror-file-reader.ts'
import type { MirrorThreads } from '../../catalog/mirror/threads/mirror-threads.ts'
import { toMirrorRow } from '../../catalog/mirror/write/to-mirror-changes.ts'
import { tryLockFile } from '../../files/file-lock.ts'
import { countCatalogProducts, findCatalogProduct } from '../../storage/catalog/mirror-check-queries.ts'
import type { Database } from '../../storage/database.ts'
import type { Tenant } from '../../tenant.ts'
import { updateMirrorFromStore } from './update-mirror-from-store.ts'

export interface RebuildParts {
  db: Database
  tenant: Tenant
  dataDirectory: string
  threads: Pick<MirrorThreads, 'apply' | 'readState' | 'close'>
  onProgress?(progress: RebuildProgress): void
  /** From 0 to 1. */
  random?: () => number
}

export interface RebuildProgress {
  rows: number
  total: number
}

export interface RebuildResult {
  path: string
  rows: number
  /** The products that were compared with the store. */
  compared: number
}

const SAMPLE_SIZE = 200
const SAMPLE_CACHE_BYTES = 1_048_576
/** Products change while they are counted. */
const MAX_COUNTS = 5

/**
 * Builds a new mirror from the store, compares it with the store, and makes it the current one. A rebuild that fails changes nothing and
 * leaves no file behind; one whose process was killed leaves a file that the next process deletes.
 */
export async function rebuildMirror(parts: RebuildParts): Promise<RebuildResult> {
  const folder = prepareMirrorFolder(parts.dataDirectory, parts.tenant)
  using lock = tryLockFile(join(folder, 'rebuilding'))
  if (!lock) throw new Error('another rebuild of this mirror is running')
  const path = nextMirror(folder)
  using _use = useMirror(path)
  try {
    const result = await build(parts, path)
    await parts.threads.close(path)
    setCurrentMirror(folder, path)
    return result
  } catch (error) {
    await parts.threads.close(path).catch(() => {})
    deleteMirror(path)
    throw error
  }
}

async function build(parts: RebuildParts, path: string): Promise<RebuildResult> {
  const { db, tenant, threads, onProgress = () => {}, random = Math.random } = parts
  const total = await countCatalogProducts(db, tenant)
  const sample = createSample(SAMPLE_SIZE, random)
  let written = 0
  const onPage = (rows: readonly { sku: string }[]) => {
    for (const { sku } of rows) sample.add(sku)
    written += rows.length
    onProgress({ rows: Math.min(written, total), total })
  }
  await updateMirrorFromStore({ db, tenant, path, threads, onPage })
  using reader = openMirrorFileReader(path, SAMPLE_CACHE_BYTES)
  if (!reader) throw new Error('the new mirror has no tables')
  await compareCounts(parts, reader, path)
  for (const sku of sample.skus) await compareProduct(parts, reader, sku)
  return { path, rows: reader.countRows(), compared: sample.skus.length }
}

async function compareCounts(
  { db, tenant, threads }: RebuildParts,
  reader: MirrorFileReader,
  path: string,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const [expected, found] = [await countCatalogProducts(db, tenant), reader.countRows()]
    if (found === expected) return
    if (attempt === MAX_COUNTS) throw new Error(`the new mirror has ${found} products, and the store has ${expected}`)
    await updateMirrorFromStore({ db, tenant, path, threads })
  }
}

/** A product that has changed since is left out. */
async function compareProduct({ db, tenant }: RebuildParts, reader: MirrorFileReader, sku: string): Promise<void> {
  const stored = await findCatalogProduct(db, tenant, sku)
  if (!stored || stored.sequence > reader.readSequence()) return
  const [found] = reader.products([sku])
  if (!found || !isDeepStrictEqual(found, toExpected(toMirrorRow(stored))))
    throw new Error(`the product ${sku} differs between the new mirror and the store`)
}

const toExpected = ({ product, price, price_as_of, tax, availability, stock_as_of }: MirrorRow): MirrorProduct => ({
  product,
  ...(price !== undefined && { price }),
  ...(tax !== undefined && { tax }),
  ...(availability !== undefined && { availability }),
  price_as_of,
  stock_as_of,
})

/** Keeps a random choice of what is added (reservoir sampling). */
function createSample(size: number, random: () => number) {
  const skus: string[] = []
  let count = 0
  return {
    skus,
    add(sku: string): void {
      count += 1
      const index = skus.length < size ? skus.length : Math.floor(random() * count)
      if (index < size) skus[index] = sku
    },
  }
}
