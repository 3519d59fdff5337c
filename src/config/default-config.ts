import { join, resolve } from 'node:path'
import { BYTES_PER_MIB } from './bytes-per-mib.ts'
import type { Config } from './config.ts'
import { DEFAULT_DEADLINE_MS } from './config-schema.ts'
import { parsePort } from './parse-port.ts'
import { type Environment, environment } from './process-environment.ts'
import { toOperationsConfig } from './to-operations-config.ts'

export const DEFAULT_API_PORT = 8080

/** Returns the configuration without a file: defaults and what the environment sets. An empty variable counts as unset. */
export function readDefaultConfig(env: Environment = environment): Omit<Config, 'merchants'> {
  const dataDirectory = resolve(env.FORECOURT_DATA || 'data')
  const port = parsePort(env.PORT) ?? DEFAULT_API_PORT
  return {
    listen: { host: env.FORECOURT_HOST || '127.0.0.1', port },
    metrics: null,
    operations: toOperationsConfig(undefined, port),
    dataDirectory,
    store: sqliteStoreIn(dataDirectory),
    log: { file: null, level: 'info' },
    cacheBytes: 256 * BYTES_PER_MIB,
    deadlineMs: DEFAULT_DEADLINE_MS,
    webhooks: { keys: null, ports: [443], allow: [] },
    feedIntervalMs: 5_000,
    embeddedSandbox: true,
  }
}

export const sqliteStoreIn = (directory: string): string => `sqlite:${join(directory, 'forecourt.db')}`
