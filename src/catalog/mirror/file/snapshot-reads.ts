import type { DatabaseSync } from 'node:sqlite'

/** Returns a function that runs several reads of a file in one transaction: they see one state of it, and lock it once. */
export function createSnapshotReads(database: DatabaseSync): <T>(read: () => T) => T {
  const begin = database.prepare('BEGIN')
  const end = database.prepare('COMMIT')
  return (read) => {
    begin.run()
    try {
      return read()
    } finally {
      // An error of a damaged file has ended it.
      if (database.isTransaction) end.run()
    }
  }
}
