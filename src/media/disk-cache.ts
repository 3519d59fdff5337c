import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { startPoller } from '../lifecycle/poller.ts'
import { decodePictureFile, encodePictureFile, type PictureFile, toPictureFile } from './checksummed-picture-file.ts'
import { type DiskCacheFile, sweepDiskCache } from './sweep-disk-cache.ts'

export interface DiskCacheParts {
  directory: string
  /** The maximum size on disk. Several processes on one directory share it. */
  maxBytes: number
  /** Milliseconds since the epoch. */
  now: () => number
  /** Called when the disk cannot be read or written. Pictures are still served, but generated every time. */
  onError(error: unknown): void
  /** The interval between scans of the folder. */
  scanEveryMs?: number
}

/** An LRU cache of pictures on disk. Their names have the pattern in sweep-disk-cache.ts. */
export interface DiskCache extends AsyncDisposable {
  get(name: string): Promise<PictureFile | null>
  /** Never rejects. */
  put(name: string, bytes: Buffer): Promise<PictureFile>
  /** Scans the folder now, or joins the scan that is running. */
  scan(): Promise<void>
  readonly bytes: number
}

interface IndexEntry {
  size: number
  usedAt: number
  /** The time of the last update of the file's modification time. */
  touchedAt: number
}

const SCAN_EVERY_MS = 600_000
/** Scan after this share of maxBytes was written: other processes may have written as much. */
const SCAN_AFTER_SHARE = 1 / 16
const TOUCH_AFTER_MS = 3_600_000
const BLOCK_BYTES = 4_096
/** The space that a file takes on disk. */
const diskBytes = (size: number) => Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES

export function createDiskCache({
  directory,
  maxBytes,
  now,
  onError,
  scanEveryMs = SCAN_EVERY_MS,
}: DiskCacheParts): DiskCache {
  const pathOf = (name: string) => join(directory, name.slice(0, 2), name)
  const remove = (name: string) => rm(pathOf(name), { force: true }).catch(onError)
  /** Evicted files whose removal is not finished … */
  const removing = new Set<string>()
  /** … and files evicted since the last scan began, which may have listed them just before. */
  let evictedSinceScan = new Set<string>()
  const index = new LRUCache<string, IndexEntry>({
    maxSize: maxBytes,
    sizeCalculation: ({ size }) => diskBytes(size),
    dispose(_, name, reason) {
      if (reason !== 'evict') return
      evictedSinceScan.add(name)
      removing.add(name)
      void remove(name).then(() => removing.delete(name))
    },
  })
  let writtenBytes = 0
  let isClosed = false

  async function get(name: string): Promise<PictureFile | null> {
    const file = await readFile(pathOf(name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') onError(error)
      return null
    })
    const picture = file && decodePictureFile(file)
    if (picture) markUsed(name, file.length)
    else index.delete(name)
    if (file && !picture) await remove(name)
    return picture
  }

  /** The modification time of a file is roughly its last use, for other processes and after a restart. */
  function markUsed(name: string, size: number): void {
    const usedAt = now()
    const known = index.get(name)
    if (known) known.usedAt = usedAt
    else index.set(name, { size, usedAt, touchedAt: 0 })
    if (usedAt - (known?.touchedAt ?? 0) < TOUCH_AFTER_MS) return
    if (known) known.touchedAt = usedAt
    utimes(pathOf(name), usedAt / 1_000, usedAt / 1_000).catch(() => {})
  }

  async function put(name: string, bytes: Buffer): Promise<PictureFile> {
    const file = encodePictureFile(bytes)
    const path = pathOf(name)
    // Not the process id: in containers that share a folder it may be 1 in each.
    const temporaryPath = `${path}.${randomUUID()}.tmp`
    if (diskBytes(file.length) > maxBytes) return toPictureFile(bytes)
    try {
      await mkdir(join(path, '..'), { recursive: true, mode: 0o700 })
      await writeFile(temporaryPath, file, { mode: 0o600 })
      await rename(temporaryPath, path)
      index.set(name, { size: file.length, usedAt: now(), touchedAt: now() })
      writtenBytes += diskBytes(file.length)
      if (writtenBytes > maxBytes * SCAN_AFTER_SHARE) void poller.poll()
    } catch (error) {
      onError(error)
      await rm(temporaryPath, { force: true }).catch(() => {})
    }
    return toPictureFile(bytes)
  }

  /** Adds files of other processes and earlier runs to the index, drops missing ones, and evicts files above the limit. */
  async function scanFolder(): Promise<void> {
    writtenBytes = 0
    evictedSinceScan = new Set(removing)
    const missing = new Set(index.keys())
    const found: DiskCacheFile[] = []
    for await (const file of sweepDiskCache(directory, now())) {
      if (isClosed) return
      missing.delete(file.name)
      found.push(file)
    }
    const files = found.filter(({ name }) => !evictedSinceScan.has(name))
    for (const name of mergeIntoIndex(files, missing)) if (!index.has(name)) await remove(name)
  }

  /** Merges the scanned files into the index and returns the names to remove. Synchronous: the index changes during a scan. */
  function mergeIntoIndex(scanned: readonly DiskCacheFile[], missing: ReadonlySet<string>): string[] {
    for (const name of missing) index.delete(name)
    const files = new Map(scanned.map((file) => [file.name, file]))
    const recency = new Map([...index.rkeys()].map((name, rank) => [name, rank]))
    for (const [name, { size, usedAt }] of index.entries())
      files.set(name, { name, size, usedAt: Math.max(usedAt, files.get(name)?.usedAt ?? 0) })
    const rankOf = ({ name }: DiskCacheFile) => recency.get(name) ?? -1
    const newestFirst = [...files.values()].sort((a, b) => b.usedAt - a.usedAt || rankOf(b) - rankOf(a))
    let freeBytes = maxBytes
    const firstEvicted = newestFirst.findIndex(({ size }) => {
      freeBytes -= diskBytes(size)
      return freeBytes < 0
    })
    const retained = firstEvicted < 0 ? newestFirst : newestFirst.slice(0, firstEvicted)
    const evicted = newestFirst.slice(retained.length).map(({ name }) => name)
    for (const name of evicted) index.delete(name)
    for (const { name, size, usedAt } of retained.toReversed())
      if (!index.get(name)) index.set(name, { size, usedAt, touchedAt: usedAt })
    return evicted
  }

  const poller = startPoller({
    round: () => scanFolder().catch(onError),
    intervalMs: scanEveryMs,
    onError,
    startsAtOnce: true,
  })
  return {
    get,
    put,
    scan: poller.poll,
    get bytes() {
      return index.calculatedSize
    },
    async [Symbol.asyncDispose]() {
      isClosed = true
      await poller[Symbol.asyncDispose]()
    },
  }
}
