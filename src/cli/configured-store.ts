import { existsSync } from 'node:fs'
import { adapters } from '../adapters.ts'
import { defaults, readConfig } from '../config.ts'

/** The store of a configuration, or of the demo when there is none. */
export function configuredStore(configFile: string | undefined): string {
  const file = configFile ?? (existsSync('forecourt.yaml') ? 'forecourt.yaml' : undefined)
  return file ? readConfig(file, adapters).store : defaults().store
}
