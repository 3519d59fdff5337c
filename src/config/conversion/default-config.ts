import { resolve } from 'node:path'
import type { Config } from '../config.ts'
import { type Environment, environment } from '../environment/process-environment.ts'
import { sqliteStoreIn } from '../store-address.ts'
import { BYTES_PER_MIB } from './bytes-per-mib.ts'
import { DEFAULT_API_PORT, DEFAULT_DEADLINE_MS } from './default-settings.ts'
import { parsePort } from './parse-port.ts'
import { toOperationsConfig } from './to-operations-config.ts'

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
