import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'

let database: DatabaseSync | null = null

/** Moves as much of the log as no reader needs, without waiting for anybody (https://sqlite.org/pragma.html#pragma_wal_checkpoint). */
export function checkpoint({ path }: { path: string }): void {
  database ??= open(path)
  database.exec('pragma wal_checkpoint(passive)')
}

/** Opens a file that exists: a store that was moved away must not be replaced by an empty one. */
function open(path: string): DatabaseSync {
  const url = pathToFileURL(path)
  url.searchParams.set('mode', 'rw')
  return new DatabaseSync(url)
}
