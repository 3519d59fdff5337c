import { accessSync, constants, type Stats, statSync } from 'node:fs'
import { tryLockFile } from '../../../files/file-lock.ts'
import { MirrorDamageError } from '../file/mirror-damage.ts'
import { measureMirror, useMirror } from '../file/mirror-folder.ts'
import { type MirrorFileReader, openMirrorFileReader, type PublicUrl } from './mirror-file-reader.ts'

/** A mirror file that this process uses. Until it is disposed, no process of this machine deletes the file. */
export interface OpenedMirror extends Disposable {
  readonly path: string
  /** `null`: the file does not exist yet, or has no tables yet. */
  readonly reader: MirrorFileReader | null
  /** Opens the reader if the file exists by now. Throws MirrorDamageError when it cannot be used. */
  openReader(): void
  /** Returns whether this process writes the file. At most one process of a machine does. */
  isWriter(): boolean
  /** Throws MirrorDamageError when somebody has deleted, replaced, truncated or locked away the file. SQLite would go on with what it has in memory. */
  checkFile(): void
  /** 0: there is no file. */
  readonly bytes: number
}

/** Returns `null` when the file is being deleted. */
export function openMirror(
  path: string,
  { cacheBytes, publicUrl }: { cacheBytes: number; publicUrl: PublicUrl | undefined },
): OpenedMirror | null {
  const use = useMirror(path)
  if (!use) return null
  let lock: Disposable | null = null
  let reader: MirrorFileReader | null = null
  let known: { ino: number; size: number } | null = null

  return {
    path,
    get reader() {
      return reader
    },
    openReader() {
      if (reader) return
      const found = findUsableFile(path)
      if (!found) return
      reader = openMirrorFileReader(path, cacheBytes, publicUrl)
      known ??= found
    },
    isWriter() {
      lock ??= tryLockFile(`${path}.lock`)
      return lock !== null
    },
    checkFile() {
      const found = findUsableFile(path)
      if (known && found?.ino !== known.ino) throw new MirrorDamageError(`the mirror file ${path} was deleted`)
      if (known && found!.size < known.size) throw new MirrorDamageError(`the mirror file ${path} was truncated`)
      known = found ? { ino: found.ino, size: found.size } : null
    },
    get bytes() {
      return known ? measureMirror(path) : 0
    },
    [Symbol.dispose]() {
      reader?.[Symbol.dispose]()
      lock?.[Symbol.dispose]()
      use[Symbol.dispose]()
    },
  }
}

function findUsableFile(path: string): Stats | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) return undefined
  if (!found.isFile()) throw new MirrorDamageError(`the mirror file ${path} is not a file`)
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
  } catch (cause) {
    throw new MirrorDamageError(`the mirror file ${path} may not be read and written`, { cause })
  }
  return found
}
