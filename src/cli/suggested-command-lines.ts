import { resolve } from 'node:path'
import { DEFAULT_API_PORT } from '../config/conversion/default-settings.ts'
import { forecourtCommand, quoteForShell } from '../installed-command-line.ts'
import { toReachableUrl } from './local-api-url.ts'
import { formatSandboxPortOption } from './sandbox-ports.ts'

const DEFAULT_API = toReachableUrl({ host: '127.0.0.1', port: DEFAULT_API_PORT })

/** Returns a command line for another terminal, which does not have the environment variables of this one. */
export function formatListenCommand(address: string, dataDirectory: string): string {
  const { hostname, port } = new URL(address)
  const api = toReachableUrl({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80) })
  return `${formatDataVariable(dataDirectory)}${forecourtCommand} webhooks listen${api === DEFAULT_API ? '' : ` --api ${api}`}`
}

/** `dataDirectory`: for a command that stores something. */
export const formatSandboxCommand = (firstPort: number, dataDirectory?: string): string =>
  `${dataDirectory === undefined ? '' : formatDataVariable(dataDirectory)}${forecourtCommand} sandbox${formatSandboxPortOption(firstPort)}`

/** The complete command of a demo on these ports. */
export function formatDemoCommand(demo: { port: number; firstPort: number; dataDirectory: string }): string {
  const port = demo.port === DEFAULT_API_PORT ? '' : `PORT=${demo.port} `
  const option = formatSandboxPortOption(demo.firstPort)
  return `${formatDataVariable(demo.dataDirectory)}${port}${forecourtCommand} demo${option}`
}

function formatDataVariable(dataDirectory: string): string {
  if (dataDirectory === resolve('data')) return ''
  return `FORECOURT_DATA=${quoteForShell(dataDirectory)} `
}
