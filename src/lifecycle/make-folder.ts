import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder, with all above it that are missing. Throws what the file system says.
 * `mkdirSync` with `recursive` does not come back where a file system has no such folders at all, as below /proc (Node 20 and 26.10).
 */
export function makeFolder(path: string, mode?: number): void {
  const above = dirname(path)
  if (above !== path && !existsSync(above)) makeFolder(above, mode)
  try {
    mkdirSync(path, mode)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !statSync(path).isDirectory()) throw error
  }
}
