import { dirname, resolve } from 'node:path'
import { DEFAULT_API_PORT } from './conversion/default-settings.ts'
import { parsePort } from './conversion/parse-port.ts'
import { environment } from './environment/process-environment.ts'
import { substituteVariables } from './environment/substitute-variables.ts'
import { readConfigText } from './read-config.ts'
import type { UncheckedConfigFile } from './schema/unchecked-config-file.ts'
import { parseYaml } from './yaml/parse-yaml.ts'

/** Which server of this machine a configuration file describes. */
export interface ServerLocation {
  dataDirectory: string
  port: number
}

/** Reads it from a file that may be wrong elsewhere, or needs variables that only the server has. */
export function locateServer(file: string, env = environment): ServerLocation {
  const { value } = parseYaml(readConfigText(file), file)
  const config = substituteVariables(value, env).value as UncheckedConfigFile
  const folder = typeof config?.data === 'string' ? config.data : 'data'
  const port = Number(config?.listen?.port ?? DEFAULT_API_PORT)
  return {
    dataDirectory: env.FORECOURT_DATA ? resolve(env.FORECOURT_DATA) : resolve(dirname(file), folder),
    port: parsePort(env.PORT) ?? port,
  }
}
