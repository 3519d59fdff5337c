import { DatabaseSync } from 'node:sqlite'

let database: DatabaseSync | null = null

/** Moves as much of the log as no reader needs, without waiting for anybody (https://sqlite.org/pragma.html#pragma_wal_checkpoint). */
export function checkpoint({ path }: { path: string }): void {
  database ??= new DatabaseSync(path)
  database.exec('pragma wal_checkpoint(passive)')
}
