import { accessSync, constants } from 'node:fs'
import { forecourtCommand } from '../installed-command-line.ts'
import { UsageError } from './usage-error.ts'

const ABSENT = ['ENOENT', 'ENOTDIR']

/** Returns whether a file exists. Throws UsageError when this account may not read it, which is not the same as absence. */
export function fileExists(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (ABSENT.includes(code)) return false
    throw new UsageError(
      `This account may not read ${path} (${code}). Run the command as the account of the server, for example: runuser -u forecourt -- ${forecourtCommand} …`,
      { cause: error },
    )
  }
}
