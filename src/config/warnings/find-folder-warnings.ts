import { accessSync, constants, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { findNonFolder } from '../../files/find-non-folder.ts'
import type { Config } from '../config.ts'
import type { ConfigMistake } from '../config-error.ts'
import type { ConfigFile } from '../schema/config-file-schema.ts'
import { isPostgres } from '../store-address.ts'

/** Finds folders and files that this account cannot write. Nothing is written to find out. */
export function findFolderWarnings(file: ConfigFile, { dataDirectory, log, store }: Config): ConfigMistake[] {
  const isFileStore = !isPostgres(store) && store !== 'sqlite::memory:'
  const places = [
    { path: 'data', target: dataDirectory, isFolder: true },
    ...(log.file ? [{ path: 'log.file', target: log.file, isFolder: false }] : []),
    // Without the setting, it is in the data folder.
    ...(file.store && isFileStore ? [{ path: 'store', target: store.slice('sqlite:'.length), isFolder: false }] : []),
  ]
  return places.flatMap(({ path, target, isFolder }) => {
    const code = findWriteError(target, isFolder)
    if (code === null) return []
    const nonFolder = findNonFolder(isFolder ? target : dirname(target))
    const mistake = nonFolder ? `${nonFolder} is not a folder` : `this account cannot write to ${target} (${code})`
    return [{ path, mistake, remedy: 'Run the server as another account, or give another path' }]
  })
}

/** Returns the error code; `null`: it can be written, or made. */
function findWriteError(target: string, isFolder: boolean): string | null {
  try {
    accessSync(target, isFolder ? constants.W_OK | constants.X_OK : constants.W_OK)
    const isThere = statSync(target).isDirectory()
    return isThere === isFolder ? null : isFolder ? 'ENOTDIR' : 'EISDIR'
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' ? findWriteError(dirname(target), true) : String(code)
  }
}
