import { opendir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

export interface DiskCacheFile {
  name: string
  size: number
  /** Milliseconds since the epoch. */
  usedAt: number
}

const NAME = /^[0-9a-f]{40}-(?:thumb|large)\.webp$/
/** Left by a process that was killed while it wrote. */
const STALE_TMP_MS = 3_600_000

/** All pictures in a folder, one by one, so that looking through many never holds up anything. No folder: none. */
export async function* listDiskCacheFiles(directory: string, now: number): AsyncGenerator<DiskCacheFile> {
  for await (const folder of entriesOf(directory)) {
    if (!folder.isDirectory()) continue
    for await (const { name } of entriesOf(join(directory, folder.name))) {
      const path = join(directory, folder.name, name)
      const there = await stat(path).catch(() => null)
      if (!there?.isFile()) continue
      if (name.endsWith('.tmp') && now - there.mtimeMs > STALE_TMP_MS) await rm(path, { force: true })
      if (NAME.test(name)) yield { name, size: there.size, usedAt: there.mtimeMs }
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
