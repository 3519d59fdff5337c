import { ConfigError } from '../config-error.ts'

export const LAST_PORT = 65_535

/** Reads the value of PORT. Throws ConfigError for a text that is not a port. */
export function parsePort(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined
  const port = Number(text)
  if (Number.isInteger(port) && port >= 0 && port <= LAST_PORT) return port
  throw new ConfigError('The environment', [
    { path: 'PORT', mistake: `"${text}" is not a port`, remedy: `Give a number from 0 to ${LAST_PORT}` },
  ])
}
