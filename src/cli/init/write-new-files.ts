import { existsSync, linkSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { UsageError } from '../usage-error.ts'

interface NewFile {
  path: string
  text: string
  mode: number
}

/** Throws UsageError if one of the files exists. */
export function requireNewFiles(paths: readonly string[]): void {
  const existing = paths.filter((path) => existsSync(path))
  if (existing.length > 0)
    throw new UsageError(
      `${existing.join(' and ')} exist${existing.length === 1 ? 's' : ''} already. To replace: --force`,
    )
}

/** Writes all files or none. Each appears complete, because it is written beside its place first. `isForced`: existing files are replaced. */
export function writeNewFiles(files: readonly NewFile[], isForced: boolean): void {
  const placed: string[] = []
  const drafts = files.map((file) => ({ ...file, draft: `${file.path}.${process.pid}.new` }))
  try {
    for (const { draft, text, mode } of drafts) writeFileSync(draft, text, { mode, flag: 'wx', flush: true })
    for (const { draft, path } of drafts) {
      if (isForced) renameSync(draft, path)
      // A link, unlike a rename, fails when somebody has made the file meanwhile.
      else linkSync(draft, path)
      placed.push(path)
    }
  } catch (error) {
    if (!isForced) for (const path of placed) rmSync(path, { force: true })
    throw error
  } finally {
    for (const { draft } of drafts) rmSync(draft, { force: true })
  }
}
