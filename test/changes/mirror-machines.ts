import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CatalogPartName } from '../../src/catalog/mirror/file/catalog-part-names.ts'
import { toMirrorFolder } from '../../src/catalog/mirror/file/mirror-folder.ts'
import { createMirrorThreads, type MirrorThreads } from '../../src/catalog/mirror/threads/mirror-threads.ts'
import type { SearchRequest } from '../../src/catalog/search/search-request.ts'
import { startTenantMirror, type TenantMirror, type TenantMirrorParts } from '../../src/changes/mirror/tenant-mirror.ts'
import { markCatalogPartFilled, markCatalogPartRead } from '../../src/storage/catalog/catalog-part-states.ts'
import { putCatalogParts } from '../../src/storage/catalog/catalog-products.ts'
import { putCatalogDocument } from '../../src/storage/catalog/catalog-taxonomy.ts'
import type { Database } from '../../src/storage/database.ts'
import { transact } from '../../src/storage/transact.ts'
import type { Tenant } from '../../src/tenant.ts'
import { toRow } from '../catalog/mirror-rows.ts'
import type { TestStore } from '../support/stores.ts'

export const acme: Tenant = { merchant: 'acme', mode: 'live' }
export const AT = '2026-03-02T12:00:00.000Z'
/** The sequence numbers of changes that are made at {@link AT}. */
export const FIRST = Date.parse(AT) * 1_000

/** A process of a machine. */
export interface MirrorProcess {
  mirror: TenantMirror
  threads: MirrorThreads
  /** What `onApplied` received. */
  applied: (readonly string[] | 'all')[]
  /** Whether these changed the references of other products. */
  references: boolean[]
  errors: string[]
  /** How often events were sent without this process. */
  readonly forgotten: number
  folder: string
  end(): Promise<void>
}

interface ProcessOptions extends Pick<TenantMirrorParts, 'onReplaced' | 'onRecovered' | 'intervalMs' | 'publicUrl'> {
  beforeRead?(): Promise<void>
  beforePrepare?(path: string): Promise<void>
  beforeReadChanges?(): Promise<void>
}

/** Machines, each with a data directory, that follow one store. */
export interface MirrorMachines extends AsyncDisposable {
  db: Database
  clock: { ms: number }
  /** `beforeRead`: runs before the process looks how far its file is. `beforePrepare`, `beforeReadChanges`: run before it reads ahead what searches need, and what has changed since. */
  startProcess(machine: string, options?: ProcessOptions): MirrorProcess
  put(parts: Parameters<typeof putCatalogParts>[2]): Promise<unknown>
  putDocument(name: 'categories' | 'tags', rows: object[]): Promise<unknown>
  markRead(name: CatalogPartName, at?: string): Promise<void>
}

export const details = (sku: string, name = 'brake pad', active = 1) => ({
  sku,
  product: JSON.stringify(toRow(sku, { product: { name } }).product),
  active,
})

/** The threads of processes that have ended, for the next ones: starting three takes a second of CPU. */
const idleThreads: MirrorThreads[] = []

export async function openMachines(store: TestStore): Promise<MirrorMachines> {
  const db = await store.open()
  const directory = mkdtempSync(join(tmpdir(), 'forecourt-machines-'))
  const started = new AsyncDisposableStack()
  const clock = { ms: Date.parse(AT) }
  let processes = 0

  function startProcess(
    machine: string,
    { beforeRead, beforePrepare, beforeReadChanges, ...listeners }: ProcessOptions = {},
  ): MirrorProcess {
    const own = idleThreads.pop() ?? createMirrorThreads()
    const threads: MirrorThreads = {
      ...own,
      async readState(path) {
        await beforeRead?.()
        return own.readState(path)
      },
      async prepare(path, canContinue) {
        await beforePrepare?.(path)
        return own.prepare(path, canContinue)
      },
      async readChanges(path, canContinue) {
        await beforeReadChanges?.()
        return own.readChanges(path, canContinue)
      },
    }
    const applied: MirrorProcess['applied'] = []
    const references: boolean[] = []
    const errors: string[] = []
    let forgotten = 0
    const mirror = startTenantMirror({
      db,
      tenant: acme,
      dataDirectory: join(directory, machine),
      threads,
      follower: `${machine}/${++processes}`,
      cacheBytes: 1_048_576,
      now: () => clock.ms,
      onApplied(_, changes) {
        applied.push(changes === 'all' ? changes : changes.skus)
        references.push(changes === 'all' || changes.hasOtherReferences)
      },
      onMissedEvents() {
        forgotten += 1
      },
      onError: (error) => void errors.push((error as Error).message),
      intervalMs: null,
      ...listeners,
    })
    let ended: Promise<void> | undefined
    const end = () => {
      ended ??= (async () => {
        await mirror[Symbol.asyncDispose]()
        idleThreads.push(own)
      })()
      return ended
    }
    started.defer(end)
    return {
      mirror,
      threads,
      applied,
      references,
      errors,
      get forgotten() {
        return forgotten
      },
      end,
      folder: toMirrorFolder(join(directory, machine), acme),
    }
  }

  return {
    db,
    clock,
    startProcess,
    put: (parts) => transact(db, (transaction) => putCatalogParts(transaction, acme, parts, AT)),
    putDocument: (name, rows) =>
      transact(db, (transaction) =>
        putCatalogDocument(transaction, acme, { name, document: JSON.stringify(rows) }, AT),
      ),
    async markRead(name, at = AT) {
      await markCatalogPartRead(db, acme, name, at)
      await markCatalogPartFilled(db, acme, name, at)
    },
    async [Symbol.asyncDispose]() {
      await started.disposeAsync()
      await store.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

export const find = async (process: MirrorProcess, q: string) => (await listSkus(process, { q })).sort()

/** Returns the SKUs that a search finds, in their order. */
export async function listSkus({ mirror }: MirrorProcess, request: Partial<SearchRequest>): Promise<string[]> {
  const { ids } = await mirror.search({ limit: 50, offset: 0, ...request })
  return mirror.skusOf(ids)
}
