import type { MirrorRow } from '../catalog/mirror/mirror-row.ts'
import type { MirrorThreads } from '../catalog/mirror/mirror-threads.ts'
import type { MirrorChanges } from '../catalog/mirror/mirror-writer.ts'
import { toRowFitment, toVehicleChanges } from '../catalog/mirror/store-rows.ts'
import { tryLockFile } from '../lifecycle/file-lock.ts'
import { type Poller, startPoller } from '../lifecycle/poller.ts'
import { type CatalogProduct, listCatalogProductsAfter } from '../storage/catalog/catalog-products.ts'
import { readCatalogSequence } from '../storage/catalog/catalog-sequences.ts'
import { listCatalogVehiclesAfter } from '../storage/catalog/catalog-vehicles.ts'
import type { Database } from '../storage/database.ts'
import type { Tenant } from '../tenant.ts'

export interface MirrorFollowerParts {
  db: Database
  tenant: Tenant
  /** The file of the mirror. Processes of one machine share it. */
  path: string
  threads: Pick<MirrorThreads, 'apply' | 'readState'>
  onError(error: unknown): void
  /** `null`: rounds run only when `poll` is called. */
  intervalMs?: number | null
}

/** Brings the mirror file of this machine up to date with the store. Of the processes that share the file, one writes it. */
export interface MirrorFollower extends AsyncDisposable {
  /** Resolves when the file has every change that the store had at the start of the round, or when another process writes the file. */
  poll(): Promise<void>
  /** The sequence number of the file after the last round. */
  readonly sequence: number
}

const INTERVAL_MS = 500
/** The products that one transaction writes. Searches continue meanwhile, because SQLite's readers do not wait for a writer. */
const PAGE = 500

export function startMirrorFollower(parts: MirrorFollowerParts): MirrorFollower {
  const { db, tenant, path, threads, onError, intervalMs = INTERVAL_MS } = parts
  let lock: Disposable | null = null
  let sequence = 0
  const poller: Poller = startPoller({ round: follow, intervalMs, onError, startsAtOnce: intervalMs !== null })

  async function follow(): Promise<void> {
    sequence = await threads.readState(path)
    lock ??= tryLockFile(`${path}.lock`)
    if (!lock) return
    for (;;) {
      const changes = await readNextChanges(db, tenant, sequence)
      if (!changes || poller.isStopped) return
      sequence = await threads.apply(path, changes)
    }
  }

  return {
    poll: poller.poll,
    get sequence() {
      return sequence
    },
    async [Symbol.asyncDispose]() {
      await poller[Symbol.asyncDispose]()
      lock?.[Symbol.dispose]()
      lock = null
    },
  }
}

/**
 * Reads the next changes of all kinds, without a gap: none has a lower sequence number than one that is returned and is missing.
 * The newest number is read first, because a change may become visible between two of the queries.
 */
async function readNextChanges(db: Database, tenant: Tenant, after: number): Promise<MirrorChanges | null> {
  const newest = await readCatalogSequence(db, tenant)
  const listed = await listCatalogProductsAfter(db, tenant, after, PAGE)
  const vehicles = await listCatalogVehiclesAfter(db, tenant, after, PAGE)
  const ends = [listed, vehicles].flatMap((list) => (list.length === PAGE ? list.at(-1)!.sequence : newest))
  const isWithin = ({ sequence }: { sequence: number }) => sequence <= Math.min(...ends)
  const found = [...listed, ...vehicles].filter(isWithin)
  if (found.length === 0) return null
  return {
    sequence: Math.max(...found.map(({ sequence }) => sequence)),
    rows: listed.filter(isWithin).map(toMirrorRow),
    ...toVehicleChanges(vehicles.filter(isWithin)),
  }
}

function toMirrorRow(row: CatalogProduct): MirrorRow {
  const { sku, sequence, popularity, price_as_of, stock_as_of } = row
  return {
    sku,
    sequence,
    popularity,
    price_as_of,
    stock_as_of,
    product: { ...JSON.parse(row.product), active: row.active },
    ...(row.price !== null && { price: JSON.parse(row.price) }),
    ...(row.tax !== null && { tax: JSON.parse(row.tax) }),
    ...(row.availability !== null && { availability: JSON.parse(row.availability) }),
    references: row.numbers === null ? [] : JSON.parse(row.numbers),
    ...toRowFitment(row.fitment),
  }
}
