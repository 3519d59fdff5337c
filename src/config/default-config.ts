import { join, resolve } from 'node:path'
import type { Config, OperationsConfig } from './config.ts'
import { ConfigError } from './config-error.ts'
import { DEFAULT_DEADLINE_MS, type OperationsBlock } from './config-schema.ts'
import { type Environment, environment } from './environment.ts'
import { toContact } from './to-contact.ts'

export const BYTES_PER_MIB = 1_048_576
const LAST_PORT = 65_535
export const DEFAULT_API_PORT = 8080

/** Returns the configuration without a file: defaults and what the environment sets. */
export function readDefaultConfig(env: Environment = environment): Omit<Config, 'merchants'> {
  const dataDirectory = resolve(env.FORECOURT_DATA ?? 'data')
  const port = parsePort(env.PORT) ?? DEFAULT_API_PORT
  return {
    listen: { host: env.FORECOURT_HOST ?? '127.0.0.1', port },
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

/** Reads the value of PORT. Throws ConfigError for a text that is not a port. */
export function parsePort(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined
  const port = Number(text)
  if (Number.isInteger(port) && port >= 0 && port <= LAST_PORT) return port
  throw new ConfigError('The environment', [
    { path: 'PORT', mistake: `"${text}" is not a port`, remedy: `Give a number from 0 to ${LAST_PORT}` },
  ])
}

/** The default port is the one after the API's, or before it when the API has the last one; 0 (any free port) stays 0. */
export function toOperationsConfig(file: OperationsBlock | undefined, apiPort: number): OperationsConfig | null {
  if (file?.enabled === false) return null
  return {
    host: file?.host ?? '127.0.0.1',
    port: file?.port ?? (apiPort === 0 ? 0 : apiPort === LAST_PORT ? apiPort - 1 : apiPort + 1),
    metrics: file?.metrics ?? false,
    ...(file?.url && { url: file.url }),
    ...toContact(file?.contact),
  }
}
