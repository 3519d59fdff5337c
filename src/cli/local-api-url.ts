import type { Config } from '../config/config.ts'
import { readDefaultConfig } from '../config/conversion/default-config.ts'
import { DEFAULT_API_PORT } from '../config/conversion/default-settings.ts'
import { isWildcardHost } from '../config/special-hosts.ts'

/** Returns the URL of an API that listens there. Clients on this machine reach a wildcard host by 127.0.0.1. */
export function toReachableUrl({ host, port, tls }: Config['listen']): string {
  const reachable = isWildcardHost(host) ? '127.0.0.1' : host
  return `${tls ? 'https' : 'http'}://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

/** Returns the URL of an API that is started in this environment. With PORT=0 the port is unknown, so the default port is assumed. */
export function readLocalApiUrl(): string {
  const { host, port } = readDefaultConfig().listen
  return toReachableUrl({ host, port: port === 0 ? DEFAULT_API_PORT : port })
}
