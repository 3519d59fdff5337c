import { resolve } from 'node:path'
import { readDefaultConfig } from '../config/config.ts'
import { formatSandboxPortOption } from './embedded-sandbox.ts'

const DEFAULT_PORT = 8_080

/** Where an API is reached that listens there: an address that stands for all of them is none to call. */
export function toReachableUrl(host: string, port: number): string {
  const called = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${called.includes(':') ? `[${called}]` : called}:${port}`
}

const DEFAULT_API = toReachableUrl('127.0.0.1', DEFAULT_PORT)

/** Where this environment has an API listen. A port that is chosen at the start is nobody's to know. */
export function readLocalApiUrl(): string {
  const { host, port } = readDefaultConfig().listen
  return toReachableUrl(host, port === 0 ? DEFAULT_PORT : port)
}

/** To be typed in another terminal, which has none of this one's variables. */
export function formatListenCommand(address: string, dataDirectory: string): string {
  const { hostname, port } = new URL(address)
  const api = toReachableUrl(hostname.replace(/^\[|\]$/g, ''), Number(port || 80))
  return `${folderIn(dataDirectory)}npx forecourt webhooks listen${api === DEFAULT_API ? '' : ` --api ${api}`}`
}

/** `dataDirectory`: of a command that keeps something there. */
export const formatSandboxCommand = (firstPort: number, dataDirectory?: string): string =>
  `${dataDirectory === undefined ? '' : folderIn(dataDirectory)}npx forecourt sandbox${formatSandboxPortOption(firstPort)}`

function folderIn(dataDirectory: string): string {
  if (dataDirectory === resolve('data')) return ''
  const plain = /^[\w./:@%+,-]+$/.test(dataDirectory)
  return `FORECOURT_DATA=${plain ? dataDirectory : `'${dataDirectory.replaceAll("'", "'\\''")}'`} `
}
