import { opendir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

export interface DiskCacheFile {
  name: string
  size: number
  /** Milliseconds since the epoch. */
  usedAt: number
}

const NAME = /^[0-9a-f]{40}-(?:thumb|large)\.webp$/
/** A temporary file of this age was left by a killed process. */
const STALE_TMP_MS = 3_600_000

/**
 * Lists the pictures in a folder one by one, so that a large folder does not block the event loop, and deletes the temporary files that killed
 * processes left. A missing folder has none.
 */
export async function* sweepDiskCache(directory: string, now: number): AsyncGenerator<DiskCacheFile> {
  for await (const folder of entriesOf(directory)) {
    if (!folder.isDirectory()) continue
    for await (const { name } of entriesOf(join(directory, folder.name))) {
      const path = join(directory, folder.name, name)
      const stats = await stat(path).catch(() => null)
      if (!stats?.isFile()) continue
      if (name.endsWith('.tmp') && now - stats.mtimeMs > STALE_TMP_MS) await rm(path, { force: true })
      if (NAME.test(name)) yield { name, size: stats.size, usedAt: stats.mtimeMs }
    }
  }
}

async function* entriesOf(directory: string) {
  try {
    yield* await opendir(directory)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
