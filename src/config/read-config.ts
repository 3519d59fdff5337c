import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Config } from './config.ts'
import { ConfigError } from './config-error.ts'
import type { ConfigFile } from './config-schema.ts'
import { type Environment, environment } from './environment.ts'
import { parseYaml } from './parse-yaml.ts'
import { substituteVariables, withVariableName } from './substitute-variables.ts'
import { toConfig } from './to-config.ts'
import { validateConfigFile } from './validate-config-file.ts'
import type { AdapterRegistry } from './validate-systems.ts'

/** Reads and validates a configuration file. Throws ConfigError with every mistake in it. */
export function readConfig(file: string, adapters: AdapterRegistry, env: Environment = environment): Config {
  return parseConfig(readText(file), file, adapters, env)
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const mistake = code === 'ENOENT' ? 'no such file' : `cannot be read (${code})`
    throw new ConfigError(file, [{ path: '', mistake, remedy: 'Give the path of a forecourt.yaml' }])
  }
}

/** `source`: the path of the file; errors name it, and paths in the text are relative to its directory. */
export function parseConfig(text: string, source: string, adapters: AdapterRegistry, env: Environment): Config {
  const substituted = substituteVariables(parseYaml(text, source), env)
  // A missing variable is one mistake: what follows from it is not reported.
  const fileMistakes = validateConfigFile(substituted, adapters)
    .filter(({ path }) => !substituted.unresolvedPaths.has(path))
    .map((mistake) => withVariableName(mistake, substituted.variableNames.get(mistake.path)))
  const mistakes = [...substituted.mistakes, ...fileMistakes]
  if (mistakes.length > 0) throw new ConfigError(source, mistakes)
  return toConfig(substituted.value as ConfigFile, env, dirname(source))
}
