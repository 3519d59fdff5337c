import { join } from 'node:path'
import { UsageError } from '../usage-error.ts'
import { type ApiTarget, DATA_DIRECTORY_HINT } from './api-target.ts'

/** Creates the error for a key that the API refuses. */
export function createKeyRefusedError({ address, demoKeyDirectory }: ApiTarget): UsageError {
  if (demoKeyDirectory === null)
    return new UsageError(`The API at ${address} refuses the key. Give another secret key with --key`)
  const file = join(demoKeyDirectory, 'demo-keys.json')
  return new UsageError(
    `The API at ${address} refuses the key of ${file}. ${DATA_DIRECTORY_HINT}, or give another secret key with --key`,
  )
}
