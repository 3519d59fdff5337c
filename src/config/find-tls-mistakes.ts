import type { TlsFiles } from './config.ts'
import { ConfigError, type ConfigMistake } from './config-error.ts'
import { readTlsPair } from './tls-files.ts'

/** Lists what is wrong with the files of `listen.tls`. */
export function findTlsMistakes(files: TlsFiles): ConfigMistake[] {
  try {
    readTlsPair(files)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes
    throw error
  }
}
