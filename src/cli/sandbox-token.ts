import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findNonFolder } from '../files/find-non-folder.ts'
import { makeFolder } from '../files/make-folder.ts'
import { randomBase62 } from '../security/base62.ts'

/** Returns where the token of `ensureSandboxToken` is stored. */
export const tokenFileIn = (dataDirectory: string): string => join(dataDirectory, 'sandbox', 'token')

/** Returns the token between the API and its embedded systems. It is created once and stored with their state, readable only by this account. */
export function ensureSandboxToken(dataDirectory: string): string {
  const file = tokenFileIn(dataDirectory)
  try {
    makeFolder(dirname(file), 0o700)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const nonFolder = findNonFolder(dirname(file))
    const reason = nonFolder
      ? `${nonFolder} is not a folder`
      : `This account cannot write to ${dataDirectory} (${code})`
    throw new Error(`${reason}. Set FORECOURT_DATA to a writable directory.`, { cause })
  }
  try {
    writeFileSync(file, randomBase62(32), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(file, 'utf8').trim()
}
