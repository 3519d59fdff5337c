import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'

/** How long the last part of a checkpoint waits for a transaction, and then, while writers wait for it, for a reader. */
const BUSY_TIMEOUT_MS = 50

let database: DatabaseSync | null = null

/**
 * Moves the log into the store's file (https://sqlite.org/pragma.html#pragma_wal_checkpoint): most of it while others write, and then,
 * while they wait, what they have written meanwhile. SQLite uses the log again from its beginning only when it has moved all of it. The first pass may
 * take long, and a large import writes much meanwhile: the second pass leaves little for the last one.
 */
export function checkpoint({ path }: { path: string }): void {
  database ??= open(path)
  database.exec('pragma wal_checkpoint(passive); pragma wal_checkpoint(passive); pragma wal_checkpoint(full)')
}

/** Opens a file that exists: a store that was moved away must not be replaced by an empty one. */
function open(path: string): DatabaseSync {
  const url = pathToFileURL(path)
  url.searchParams.set('mode', 'rw')
  return new DatabaseSync(url, { timeout: BUSY_TIMEOUT_MS })
}
