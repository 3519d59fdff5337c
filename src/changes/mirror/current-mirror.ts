import { MirrorDamageError } from '../../catalog/mirror/file/mirror-damage.ts'
import { readCurrentMirror, replaceMirror } from '../../catalog/mirror/file/mirror-folder.ts'
import type { MirrorFileReader, PublicUrl } from '../../catalog/mirror/read/mirror-file-reader.ts'
import { type OpenedMirror, openMirror } from '../../catalog/mirror/read/open-mirror.ts'
import type { MirrorPath, MirrorThreads } from '../../catalog/mirror/threads/mirror-threads.ts'
import type { CatalogMirror } from '../../upstream/mirror/catalog-mirror.ts'

/** Why a process uses another file now: the old one was damaged, or an operator has rebuilt it. */
export type MirrorReplacement = 'damaged' | 'rebuilt'

interface CurrentMirrorParts {
  folder: string
  threads: Pick<MirrorThreads, 'search' | 'suggest' | 'prepare' | 'readChanges' | 'close'>
  cacheBytes: number
  publicUrl: PublicUrl | undefined
  /** Called when another file is opened. `isUpToDate`: it has all that the previous one had. */
  onOpened(mirror: { sequence: number; isUpToDate: boolean }): void
  /** `error`: the damage that this process has found. */
  onReplaced(reason: MirrorReplacement, error?: MirrorDamageError): void
  onError(error: unknown): void
  /** Returns false when the process ends. */
  canContinue(): boolean
}

/** The file that the folder's pointer names, and its reads. */
export interface CurrentMirror extends AsyncDisposable {
  /** `null`: there is none at the moment. */
  readonly opened: OpenedMirror | null
  readonly reads: Omit<CatalogMirror, 'partState'>
  /** Opens the file that the pointer names, and closes the one before it. Until searches of the new file can begin at once, the old one is used. */
  switchToCurrent(): Promise<void>
  /** Resolves when searches of the file can begin at once, or cannot be prepared. */
  prepare(): Promise<void>
  /** Resolves when searches of the file need not wait for the changes that it had before. */
  readChanges(): Promise<void>
  /** Puts an empty file in the place of a damaged one. */
  replaceIfDamaged(error: unknown): void
}

export function createCurrentMirror(parts: CurrentMirrorParts): CurrentMirror {
  const { folder, threads, cacheBytes, publicUrl, onOpened, onReplaced, onError, canContinue } = parts
  let opened: OpenedMirror | null = null
  /** The sequence number up to which the search thread has read the changes, or has been told to read them. */
  let readAhead = 0

  async function switchToCurrent(): Promise<void> {
    const path = readCurrentMirror(folder)
    if (opened?.path === path) return
    const next = openMirror(path, { cacheBytes, publicUrl })
    if (!next) return
    try {
      next.openReader()
    } catch (error) {
      next[Symbol.dispose]()
      if (error instanceof MirrorDamageError) replace(path, error)
      throw error
    }
    const sequence = next.reader?.readSequence() ?? 0
    const isUpToDate = Boolean(opened?.reader && next.reader && sequence >= opened.reader.readSequence())
    if (isUpToDate) await prepareFile(next)
    const before = opened
    opened = next
    onOpened({ sequence, isUpToDate })
    if (!before) return
    onReplaced(isUpToDate ? 'rebuilt' : 'damaged')
    await close(before)
  }

  const canReadAhead = () => canContinue() && opened !== null

  function prepareFile({ path, reader }: OpenedMirror): Promise<void> {
    readAhead = reader!.readSequence()
    return threads.prepare(path, canReadAhead)
  }

  async function close(mirror: OpenedMirror): Promise<void> {
    mirror[Symbol.dispose]()
    await threads.close(mirror.path)
  }

  function replace(path: string, error: MirrorDamageError): void {
    replaceMirror(folder, path)
    onReplaced('damaged', error)
  }

  function replaceIfDamaged(error: unknown): void {
    if (!opened || !(error instanceof MirrorDamageError)) return
    const damaged = opened
    opened = null
    try {
      replace(damaged.path, error)
    } finally {
      // Also if the pointer cannot be written: the threads must not go on with a deleted file.
      close(damaged).catch(onError)
    }
  }

  function requireOpened(): OpenedMirror & { reader: MirrorFileReader } {
    if (!opened?.reader) throw new Error('the mirror is being filled')
    return opened as OpenedMirror & { reader: MirrorFileReader }
  }

  function read<T>(work: (reader: MirrorFileReader) => T): T {
    const { reader } = requireOpened()
    try {
      return work(reader)
    } catch (error) {
      replaceIfDamaged(error)
      throw error
    }
  }

  async function readInThread<T>(work: (path: MirrorPath) => Promise<T>): Promise<T> {
    let path = requireOpened().path
    try {
      return await work(() => {
        path = requireOpened().path
        return path
      })
    } catch (error) {
      if (opened?.path === path) replaceIfDamaged(error)
      throw error
    }
  }

  return {
    get opened() {
      return opened
    },
    switchToCurrent,
    async prepare() {
      if (opened?.reader) await prepareFile(opened)
    },
    async readChanges() {
      const sequence = opened?.reader?.readSequence() ?? readAhead
      if (sequence === readAhead) return
      readAhead = sequence
      await threads.readChanges(opened!.path, canReadAhead)
    },
    replaceIfDamaged,
    reads: {
      products: (skus) => read((reader) => reader.products(skus)),
      skusOf: (ids) => read((reader) => reader.skusOf(ids)),
      text: (sku) => read((reader) => reader.text(sku)),
      texts: (ids) => read((reader) => reader.texts(ids)),
      findSlug: (slug) => read((reader) => reader.findSlug(slug)),
      changes: (query) => read((reader) => reader.changes(query)),
      changeTexts: (query) => read((reader) => reader.changeTexts(query)),
      countChanges: (after, counted) => read((reader) => reader.countChanges(after, counted)),
      categories: (ids) => read((reader) => reader.categories(ids)),
      readAllCategories: () => read((reader) => reader.readAllCategories()),
      tags: (tags) => read((reader) => reader.tags(tags)),
      vehicleFacet: (query) => read((reader) => reader.vehicleFacet(query)),
      vehicle: (id) => read((reader) => reader.vehicle(id)),
      fitments: (sku, page) => read((reader) => reader.fitments(sku, page)),
      fitmentsOn: (vehicleId, skus) => read((reader) => reader.fitmentsOn(vehicleId, skus)),
      references: (sku, customerId) => read((reader) => reader.references(sku, customerId)),
      productsByNumber: (number, customerId) => read((reader) => reader.productsByNumber(number, customerId)),
      search: (request, signal) => readInThread((path) => threads.search(path, request, signal)),
      suggest: (request, signal) => readInThread((path) => threads.suggest(path, request, signal)),
    },
    async [Symbol.asyncDispose]() {
      const last = opened
      opened = null
      if (last) await close(last)
    },
  }
}
