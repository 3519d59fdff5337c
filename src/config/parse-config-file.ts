import { dirname } from 'node:path'
import { sha256Hex } from '../security/sha256.ts'
import type { AdapterRegistry } from './adapter-registry.ts'
import type { Config } from './config.ts'
import { ConfigError, type ConfigMistake } from './config-error.ts'
import { toConfig } from './conversion/to-config.ts'
import { coerceConfigFile } from './environment/coerce-config-file.ts'
import type { Environment } from './environment/process-environment.ts'
import { type SubstitutedFile, substituteVariables, withVariableName } from './environment/substitute-variables.ts'
import { findConfigMistakes } from './mistakes/find-config-mistakes.ts'
import { sortByPosition } from './mistakes/sort-by-position.ts'
import type { ConfigFile } from './schema/config-file-schema.ts'
import type { UncheckedConfigFile } from './schema/unchecked-config-file.ts'
import { type ParsedYaml, parseYaml } from './yaml/parse-yaml.ts'

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
