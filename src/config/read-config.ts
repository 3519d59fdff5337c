import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { sha256Hex } from '../security/sha256.ts'
import type { AdapterRegistry } from './adapter-registry.ts'
import { coerceConfigFile } from './coerce-config-file.ts'
import type { Config } from './config.ts'
import { ConfigError, type ConfigMistake } from './config-error.ts'
import type { ConfigFile } from './config-schema.ts'
import { findConfigMistakes } from './find-config-mistakes.ts'
import { findTlsMistakes } from './find-tls-mistakes.ts'
import { type ParsedYaml, parseYaml } from './parse-yaml.ts'
import { type Environment, environment } from './process-environment.ts'
import { sortByPosition } from './sort-by-position.ts'
import { type SubstitutedFile, substituteVariables, withVariableName } from './substitute-variables.ts'
import { toConfig } from './to-config.ts'
import type { UncheckedConfigFile } from './unchecked-config-file.ts'

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

/** A valid configuration file: its settings, and the positions and variables in it, for further checks. */
export interface ParsedConfigFile extends Pick<ParsedYaml, 'positionOf'>, Pick<SubstitutedFile, 'variablePaths'> {
  file: ConfigFile
  config: Config
  /** SHA-256 of the text of the file. */
  digest: string
}

export const parseConfig = (text: string, source: string, adapters: AdapterRegistry, env: Environment): Config =>
  parseConfigFile(text, source, adapters, env).config

/** `source`: the path of the file; errors name it, and paths in the text are relative to its directory. */
export function parseConfigFile(
  text: string,
  source: string,
  adapters: AdapterRegistry,
  env: Environment,
  findMoreMistakes: (file: NonNullable<UncheckedConfigFile>, directory: string) => ConfigMistake[] = () => [],
): ParsedConfigFile {
  const { value, positionOf } = parseYaml(text, source)
  const substituted = substituteVariables(value, env)
  const unchecked = substituted.value as UncheckedConfigFile
  const moreMistakes = unchecked ? findMoreMistakes(unchecked, dirname(source)) : []
  coerceConfigFile(substituted, adapters)
  // A missing variable is one mistake: what follows from it is not reported.
  const fileMistakes = [...findConfigMistakes(substituted.value, adapters, env), ...moreMistakes]
    .filter(({ path }) => !substituted.unresolvedPaths.has(path))
    .map((mistake) => withVariableName(mistake, substituted.variableNames.get(mistake.path)))
  const mistakes = [...substituted.mistakes, ...fileMistakes]
  if (mistakes.length > 0) throw new ConfigError(source, sortByPosition(mistakes, positionOf))
  const file = substituted.value as ConfigFile
  const config = toConfig(file, env, dirname(source))
  return { file, config, digest: sha256Hex(text), positionOf, variablePaths: substituted.variablePaths }
}
