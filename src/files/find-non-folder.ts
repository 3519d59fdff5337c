import { statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Returns what is at the place of a folder or of one above it, but is not a folder. */
export function findNonFolder(path: string): string | null {
  try {
    return statSync(path).isDirectory() ? null : path
  } catch {
    const parent = dirname(path)
    return parent === path ? null : findNonFolder(parent)
  }
}
