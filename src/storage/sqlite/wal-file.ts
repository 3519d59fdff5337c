import { closeSync, fdatasync, fstatSync, openSync } from 'node:fs'
import { promisify } from 'node:util'

const datasync = promisify(fdatasync)

/** The write-ahead log of an open SQLite store. */
export interface WalFile {
  /** The store's file. */
  readonly storeFile: string
  readonly path: string
  /** The size of the file, which shrinks when SQLite uses it again from its beginning. */
  bytes(): number
  /** Resolves when what was written would survive a loss of power. Runs off the event loop. */
  sync(): Promise<void>
  close(): void
}

/**
 * Opens the log of a store that is open. SQLite keeps this file as long as a connection is open. The descriptor is kept, because a process
 * that has none left could store an order, but not sync it.
 */
export function openWalFile(storeFile: string): WalFile {
  const path = `${storeFile}-wal`
  const fd = openSync(path, 'r+')
  return { storeFile, path, bytes: () => fstatSync(fd).size, sync: () => datasync(fd), close: () => closeSync(fd) }
}
