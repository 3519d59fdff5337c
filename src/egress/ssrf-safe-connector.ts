import type { LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import type { HostLookup } from './dns-resolver.ts'
import { EgressRefusedError } from './egress-refused-error.ts'
import { type EndpointRules, isAllowlistedHost, isIpLiteral } from './endpoint-rules.ts'
import { isPublicAddress } from './public-address.ts'

export interface SsrfSafeConnectorParts {
  rules: EndpointRules
  resolve: HostLookup
  /** Instead of the usual authorities. */
  ca?: string
  connectMs?: number
}

const CONNECT_MS = 5_000
/** Of a name's addresses, as many are tried. */
const TRIED = 8

/**
 * Connects to endpoints: the name is resolved once, all of its addresses are judged, and the socket gets those that were judged, so that
 * nothing can change in between. Hosts that the configuration allows are resolved as the system does, and may be anywhere.
 */
export function createSsrfSafeConnector({
  rules,
  resolve,
  ca,
  connectMs = CONNECT_MS,
}: SsrfSafeConnectorParts): buildConnector.connector {
  const usual = { timeout: connectMs, allowH2: false, rejectUnauthorized: true, ...(ca && { ca }) }
  const open = buildConnector(usual as buildConnector.BuildOptions)
  const guarded = buildConnector({ ...usual, lookup: judgedLookup(resolve) } as buildConnector.BuildOptions)
  return (options, callback) => {
    if (isAllowlistedHost(options, rules)) return open(options, callback)
    // A socket does not look an address up, and so would not have it judged.
    if (isIpLiteral(options.hostname)) return callback(new EgressRefusedError('url_not_allowed'), null)
    return guarded(options, callback)
  }
}

/** For `net.connect`, in place of `dns.lookup`. */
function judgedLookup(resolve: HostLookup): LookupFunction {
  return (hostname, { all }, callback) => {
    judged(resolve, hostname).then(
      (addresses) => {
        if (all) callback(null, addresses)
        else callback(null, addresses[0]!.address, addresses[0]!.family)
      },
      (failure: Error) => callback(failure, ''),
    )
  }
}

async function judged(resolve: HostLookup, hostname: string) {
  const addresses = await resolve(hostname).catch(() => {
    throw new EgressRefusedError('dns')
  })
  if (addresses.length === 0) throw new EgressRefusedError('dns')
  if (!addresses.every(isPublicAddress)) throw new EgressRefusedError('url_not_allowed')
  return addresses.slice(0, TRIED).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
}
