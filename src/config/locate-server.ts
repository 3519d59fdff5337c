import { dirname, resolve } from 'node:path'
import { DEFAULT_API_PORT } from './default-config.ts'
import { parsePort } from './parse-port.ts'
import { parseYaml } from './parse-yaml.ts'
import { environment } from './process-environment.ts'
import { readConfigText } from './read-config.ts'
import { substituteVariables } from './substitute-variables.ts'
import type { UncheckedConfigFile } from './unchecked-config-file.ts'

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
