import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { AdapterRegistry } from './adapter-registry.ts'
import type { Config } from './config.ts'
import { ConfigError, type ConfigMistake } from './config-error.ts'
import { type Environment, environment } from './environment/process-environment.ts'
import { type ParsedConfigFile, parseConfig, parseConfigFile } from './parse-config-file.ts'
import type { ConfigFile } from './schema/config-file-schema.ts'
import type { UncheckedConfigFile } from './schema/unchecked-config-file.ts'
import { findTlsMistakes } from './tls/find-tls-mistakes.ts'

/** Reads and validates a configuration file. Throws ConfigError with every mistake in it. */
export function readConfig(file: string, adapters: AdapterRegistry, env: Environment = environment): Config {
  return parseConfig(readConfigText(file), file, adapters, env)
}

/** Reads a configuration file for a server: also the files of `listen.tls`, which other commands may not be allowed to read. */
export function readServerConfig(file: string, adapters: AdapterRegistry, env = environment): ParsedConfigFile {
  return parseServerConfig(readConfigText(file), file, adapters, env)
}

/** Like `readServerConfig`, with a text that was read before. */
export const parseServerConfig = (text: string, file: string, adapters: AdapterRegistry, env: Environment) =>
  parseConfigFile(text, file, adapters, env, findServerFileMistakes)

function findServerFileMistakes({ listen }: NonNullable<UncheckedConfigFile>, directory: string): ConfigMistake[] {
  const { cert, key } = (listen as ConfigFile['listen'])?.tls ?? {}
  if (typeof cert !== 'string' || typeof key !== 'string') return []
  return findTlsMistakes({ cert: resolve(directory, cert), key: resolve(directory, key) })
}

export function readConfigText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const mistake = code === 'ENOENT' ? 'no such file' : `cannot be read (${code})`
    throw new ConfigError(file, [{ path: '', mistake, remedy: 'Give the path of a forecourt.yaml' }])
  }
}
