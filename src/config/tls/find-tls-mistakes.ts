import { ConfigError, type ConfigMistake } from '../config-error.ts'
import type { TlsFiles } from './tls-pair.ts'
import { readTlsPair } from './tls-pair.ts'

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
