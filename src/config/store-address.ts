import { join, resolve } from 'node:path'

/** Tests whether a store is PostgreSQL; otherwise it is `sqlite:<path>`. */
export const isPostgres = (store: string) => /^postgres(ql)?:\/\//.test(store)

/** Returns whether other servers may use the store: on PostgreSQL any number of them, on SQLite the workers of one primary process. */
export const isSharedStore = ({ store, workers }: { store: string; workers?: number }): boolean =>
  isPostgres(store) || workers !== undefined

/** Returns a store's URL without password and parameters. */
export function redactStoreAddress(store: string): string {
  if (!isPostgres(store)) return store
  const { protocol, username, host, pathname } = new URL(store)
  return `${protocol}//${username && `${username}@`}${host}${pathname}`
}

/** Returns the default store of a data directory. */
export const sqliteStoreIn = (directory: string): string => `sqlite:${join(directory, 'forecourt.db')}`

const SQLITE = 'sqlite:'

/** Resolves the path of an SQLite store against a directory. */
export function toAbsoluteStore(store: string, directory: string): string {
  const path = store.slice(SQLITE.length)
  return store.startsWith(SQLITE) && path !== ':memory:' ? SQLITE + resolve(directory, path) : store
}
