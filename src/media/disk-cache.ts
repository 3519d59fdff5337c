import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { type DiskCacheFile, listDiskCacheFiles } from './disk-cache-files.ts'
import { decodePictureFile, encodePictureFile, type PictureFile, toPictureFile } from './picture-file.ts'

export interface DiskCacheParts {
  directory: string
  /** Of the disk. Several processes on one directory share it. */
  maxBytes: number
  /** Milliseconds since the epoch. */
  now: () => number
  /** A disk that cannot be read or written: pictures are served all the same, each time made anew. */
  onError(error: unknown): void
  /** How often the folder is compared with what is known of it. */
  scanEveryMs?: number
}

/** Pictures on disk, by names as in shelf-files.ts. What was used least recently goes first. */
export interface DiskCache extends AsyncDisposable {
  get(name: string): Promise<PictureFile | null>
  /** Never rejects. */
  put(name: string, bytes: Buffer): Promise<PictureFile>
  /** Looks through the folder now, or waits for the look that is under way. */
  scan(): Promise<void>
  readonly bytes: number
}

interface Shelved {
  size: number
  usedAt: number
  /** When its file was last given the time of its use. */
  markedAt: number
}

const SCAN_EVERY_MS = 600_000
/** Of the bound, written since the last scan: other processes may have written as much. */
const SCAN_AFTER_SHARE = 1 / 16
const MARK_AFTER_MS = 3_600_000
const BLOCK = 4_096
/** What a file takes of a disk. */
const weightOf = (size: number) => Math.ceil(size / BLOCK) * BLOCK

export function createDiskCache({
  directory,
  maxBytes,
  now,
  onError,
  scanEveryMs = SCAN_EVERY_MS,
}: DiskCacheParts): DiskCache {
  const pathOf = (name: string) => join(directory, name.slice(0, 2), name)
  const drop = (name: string) => rm(pathOf(name), { force: true }).catch(onError)
  /** Let go of, and still there … */
  const leaving = new Set<string>()
  /** … or let go of since the last look began, which may have seen them just before. */
  let lost = new Set<string>()
  const index = new LRUCache<string, Shelved>({
    maxSize: maxBytes,
    sizeCalculation: ({ size }) => weightOf(size),
    dispose(_, name, reason) {
      if (reason !== 'evict') return
      lost.add(name)
      leaving.add(name)
      void drop(name).then(() => leaving.delete(name))
    },
  })
  let [written, closed] = [0, false]
  let scanning: Promise<void> | undefined

  async function get(name: string): Promise<PictureFile | null> {
    const file = await readFile(pathOf(name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') onError(error)
      return null
    })
    const kept = file && decodePictureFile(file)
    if (kept) used(name, file.length)
    else index.delete(name)
    if (file && !kept) await drop(name)
    return kept
  }

  /** A file's time tells, roughly, after a restart and to other processes when it was last used. */
  function used(name: string, size: number): void {
    const at = now()
    const known = index.get(name)
    if (known) known.usedAt = at
    else index.set(name, { size, usedAt: at, markedAt: 0 })
    if (at - (known?.markedAt ?? 0) < MARK_AFTER_MS) return
    if (known) known.markedAt = at
    utimes(pathOf(name), at / 1_000, at / 1_000).catch(() => {})
  }

  async function put(name: string, bytes: Buffer): Promise<PictureFile> {
    const file = encodePictureFile(bytes)
    const path = pathOf(name)
    // No process id: in containers that share a folder it is 1 in each.
    const passing = `${path}.${randomUUID()}.tmp`
    if (weightOf(file.length) > maxBytes) return toPictureFile(bytes)
    try {
      await mkdir(join(path, '..'), { recursive: true, mode: 0o700 })
      await writeFile(passing, file, { mode: 0o600 })
      await rename(passing, path)
      index.set(name, { size: file.length, usedAt: now(), markedAt: now() })
      written += weightOf(file.length)
      if (written > maxBytes * SCAN_AFTER_SHARE) void scan()
    } catch (error) {
      onError(error)
      await rm(passing, { force: true }).catch(() => {})
    }
    return toPictureFile(bytes)
  }

  /** Adopts what others wrote or an earlier run left, forgets what is gone, and lets go of what is too much. */
  async function look(): Promise<void> {
    written = 0
    lost = new Set(leaving)
    const gone = new Set(index.keys())
    const found: DiskCacheFile[] = []
    for await (const file of listDiskCacheFiles(directory, now())) {
      if (closed) return
      gone.delete(file.name)
      found.push(file)
    }
    const known = found.filter(({ name }) => !lost.has(name))
    for (const name of settle(known, gone)) if (!index.has(name)) await drop(name)
  }

  /** All at once: pictures are asked for and made while the folder is looked through. Answers what is too much. */
  function settle(found: readonly DiskCacheFile[], gone: ReadonlySet<string>): string[] {
    for (const name of gone) index.delete(name)
    const all = new Map(found.map((file) => [file.name, file]))
    const places = new Map([...index.rkeys()].map((name, place) => [name, place]))
    for (const [name, { size, usedAt }] of index.entries())
      all.set(name, { name, size, usedAt: Math.max(usedAt, all.get(name)?.usedAt ?? 0) })
    const placeOf = ({ name }: DiskCacheFile) => places.get(name) ?? -1
    const newestFirst = [...all.values()].sort((a, b) => b.usedAt - a.usedAt || placeOf(b) - placeOf(a))
    let room = maxBytes
    const tooMuch = newestFirst.findIndex(({ size }) => {
      room -= weightOf(size)
      return room < 0
    })
    const staying = tooMuch < 0 ? newestFirst : newestFirst.slice(0, tooMuch)
    const tooOld = newestFirst.slice(staying.length).map(({ name }) => name)
    for (const name of tooOld) index.delete(name)
    for (const { name, size, usedAt } of staying.toReversed())
      if (!index.get(name)) index.set(name, { size, usedAt, markedAt: usedAt })
    return tooOld
  }

  function scan(): Promise<void> {
    scanning ??= look()
      .catch(onError)
      .finally(() => {
        scanning = undefined
      })
    return scanning
  }

  void scan()
  const timer = setInterval(scan, scanEveryMs).unref()
  return {
    ...{ get, put, scan },
    get bytes() {
      return index.calculatedSize
    },
    async [Symbol.asyncDispose]() {
      closed = true
      clearInterval(timer)
      await scanning
    },
  }
}
