import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Copies an SQLite store, as it is at one instant, to a new file that this account alone may read. It may be in use meanwhile. */
export function backUpSqliteStore(path: string, to: string): void {
  if (!existsSync(path)) throw new Error(`There is no store at ${path} yet.`)
  if (existsSync(to)) throw new Error(`${to} is there already. Name a file that is not.`)
  const partial = `${to}.${process.pid}.partial`
  try {
    closeSync(openSync(partial, 'wx', 0o600))
    const database = new DatabaseSync(path, { timeout: 10_000 })
    try {
      database.prepare('vacuum into ?').run(partial)
    } finally {
      database.close()
    }
    settle(partial)
    renameSync(partial, to)
    settle(dirname(to))
  } catch (cause) {
    rmSync(partial, { force: true })
    const said = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`The store ${path} could not be copied to ${to} (${said}).`, { cause })
  }
}

/** Onto the disk, so that a backup that is told of is there after a loss of power. */
function settle(path: string): void {
  const fd = openSync(path, 'r')
  fsyncSync(fd)
  closeSync(fd)
}
