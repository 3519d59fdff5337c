import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Copies a SQLite store, as it is at one instant, to a new file that only this account may read. The store may be in use. */
export function backUpSqliteStore(path: string, to: string): void {
  if (!existsSync(path)) throw new Error(`There is no store at ${path} yet.`)
  if (existsSync(to)) throw new Error(`${to} already exists. Choose another file name.`)
  const partial = `${to}.${process.pid}.partial`
  try {
    closeSync(openSync(partial, 'wx', 0o600))
    const database = new DatabaseSync(path, { timeout: 10_000 })
    try {
      database.prepare('vacuum into ?').run(partial)
    } finally {
      database.close()
    }
    syncToDisk(partial)
    renameSync(partial, to)
    syncToDisk(dirname(to))
  } catch (cause) {
    rmSync(partial, { force: true })
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`The store ${path} could not be copied to ${to} (${reason}).`, { cause })
  }
}

/** A backup that was reported as done must survive a loss of power. */
function syncToDisk(path: string): void {
  const fd = openSync(path, 'r')
  fsyncSync(fd)
  closeSync(fd)
}
