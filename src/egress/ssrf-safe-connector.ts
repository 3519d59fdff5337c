import type { LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import type { HostLookup } from './dns-resolver.ts'
import { EgressRefusedError } from './egress-refused-error.ts'
import { type EndpointRules, isAllowlistedHost, isIpLiteral } from './endpoint-rules.ts'
import { isPublicAddress } from './public-address.ts'

export interface SsrfSafeConnectorParts {
  rules: EndpointRules
  resolve: HostLookup
  /** Certificate authorities (PEM) instead of the default ones. */
  ca?: string
  connectTimeoutMs?: number
}

const CONNECT_TIMEOUT_MS = 5_000
const MAX_ADDRESSES_TRIED = 8

/**
 * Connects to endpoints on public addresses only. The name is resolved once, all its addresses are checked, and the socket gets the checked
 * ones, so that DNS cannot change in between. Hosts that the configuration allows are resolved by the system, and may be private.
 */
export function createSsrfSafeConnector({
  rules,
  resolve,
  ca,
  connectTimeoutMs = CONNECT_TIMEOUT_MS,
}: SsrfSafeConnectorParts): buildConnector.connector {
  const options = { timeout: connectTimeoutMs, allowH2: false, rejectUnauthorized: true, ...(ca && { ca }) }
  const connectAnywhere = buildConnector(options as buildConnector.BuildOptions)
  const connectPublic = buildConnector({ ...options, lookup: publicLookup(resolve) } as buildConnector.BuildOptions)
  return (target, callback) => {
    if (isAllowlistedHost(target, rules)) return connectAnywhere(target, callback)
    // A socket does not look up an IP address, so the lookup function could not check it.
    if (isIpLiteral(target.hostname)) return callback(new EgressRefusedError('url_not_allowed'), null)
    return connectPublic(target, callback)
  }
}

/** A lookup function for `net.connect` that rejects names with a private address. */
function publicLookup(resolve: HostLookup): LookupFunction {
  return (hostname, { all }, callback) => {
    resolvePublic(resolve, hostname).then(
      (addresses) => {
        if (all) callback(null, addresses)
        else callback(null, addresses[0]!.address, addresses[0]!.family)
      },
      (failure: Error) => callback(failure, ''),
    )
  }
}

async function resolvePublic(resolve: HostLookup, hostname: string) {
  const addresses = await resolve(hostname).catch(() => {
    throw new EgressRefusedError('dns')
  })
  if (addresses.length === 0) throw new EgressRefusedError('dns')
  if (!addresses.every(isPublicAddress)) throw new EgressRefusedError('url_not_allowed')
  return addresses.slice(0, MAX_ADDRESSES_TRIED).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
}
