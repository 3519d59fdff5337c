import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder and its missing parents. Throws the error of the file system.
 * `mkdirSync` with `recursive` never returns where the file system has no folders to make, as below /proc (Node 20 and 26.10).
 */
export function makeFolder(path: string, mode?: number): void {
  const parent = dirname(path)
  if (parent !== path && !existsSync(parent)) makeFolder(parent, mode)
  try {
    mkdirSync(path, mode)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !statSync(path).isDirectory()) throw error
  }
}
