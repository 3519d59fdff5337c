import { accessSync, closeSync, constants, existsSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from '../../files/make-folder.ts'

/** Creates the store's file with mode 0600. SQLite gives its `-wal` and `-shm` files the same mode. */
export function ensureStoreFile(path: string): void {
  makeFolder(dirname(path), 0o700)
  // An existing file is not opened: closing it would release every POSIX lock that this process has on it.
  if (existsSync(path)) accessSync(path, constants.R_OK | constants.W_OK)
  else closeSync(openSync(path, 'a', 0o600))
}
