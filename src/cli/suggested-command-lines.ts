import { resolve } from 'node:path'
import type { Config } from '../config/config.ts'
import { readDefaultConfig } from '../config/default-config.ts'
import { isWildcardHost } from '../config/listen-host.ts'
import { forecourtCommand, quoteForShell } from '../forecourt-command.ts'
import { formatSandboxPortOption } from './sandbox-ports.ts'

const DEFAULT_PORT = 8_080

/** Returns the URL of an API that listens there. Clients on this machine reach a wildcard host by 127.0.0.1. */
export function toReachableUrl({ host, port, tls }: Config['listen']): string {
  const reachable = isWildcardHost(host) ? '127.0.0.1' : host
  return `${tls ? 'https' : 'http'}://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

const DEFAULT_API = toReachableUrl({ host: '127.0.0.1', port: DEFAULT_PORT })

/** Returns the URL of an API that is started in this environment. With PORT=0 the port is unknown, so the default port is assumed. */
export function readLocalApiUrl(): string {
  const { host, port } = readDefaultConfig().listen
  return toReachableUrl({ host, port: port === 0 ? DEFAULT_PORT : port })
}

/** Returns a command line for another terminal, which does not have the environment variables of this one. */
export function formatListenCommand(address: string, dataDirectory: string): string {
  const { hostname, port } = new URL(address)
  const api = toReachableUrl({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80) })
  return `${formatDataVariable(dataDirectory)}${forecourtCommand} webhooks listen${api === DEFAULT_API ? '' : ` --api ${api}`}`
}

/** `dataDirectory`: for a command that stores something. */
export const formatSandboxCommand = (firstPort: number, dataDirectory?: string): string =>
  `${dataDirectory === undefined ? '' : formatDataVariable(dataDirectory)}${forecourtCommand} sandbox${formatSandboxPortOption(firstPort)}`

function formatDataVariable(dataDirectory: string): string {
  if (dataDirectory === resolve('data')) return ''
  return `FORECOURT_DATA=${quoteForShell(dataDirectory)} `
}
