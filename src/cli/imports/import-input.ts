import { createReadStream, type ReadStream, statSync } from 'node:fs'
import { UsageError } from '../usage-error.ts'

export interface ImportInput {
  stream: ReadStream | NodeJS.ReadStream
  /** The size of the file; `null`: unknown. */
  bytes: number | null
}

/** Opens a file to import; `-` is standard input. */
export function openImportInput(file: string): ImportInput {
  if (file === '-') return { stream: process.stdin, bytes: null }
  try {
    const stats = statSync(file)
    if (stats.isDirectory()) throw new UsageError(`${file} is a directory`)
    return { stream: createReadStream(file), bytes: stats.isFile() ? stats.size : null }
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}
