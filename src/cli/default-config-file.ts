import { existsSync } from 'node:fs'

export const DEFAULT_CONFIG_FILE = 'forecourt.yaml'
export const DEFAULT_ENVIRONMENT_FILE = 'forecourt.env'

/** Returns the file to read: the one that was named, else forecourt.yaml if it exists here; `undefined`: the demo. */
export const findConfigFile = (named: string | undefined): string | undefined =>
  named ?? (existsSync(DEFAULT_CONFIG_FILE) ? DEFAULT_CONFIG_FILE : undefined)
