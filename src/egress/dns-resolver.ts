import { Resolver } from 'node:dns/promises'

/** Returns all addresses of a host name. Rejects when it has none. */
export type HostLookup = (hostname: string) => Promise<string[]>

export interface DnsResolver extends Disposable {
  resolve: HostLookup
}

/** Together shorter than the time limit of connecting. */
const FIRST_TRY_MS = 1_000
const LATER_TRIES_MS = 1_500
const TRIES = 3

/**
 * Queries the name servers directly (c-ares): the system's resolver would hold one of libuv's few threads for as long as a name server
 * hangs. `servers`: those of the system by default.
 */
export function createDnsResolver({
  servers,
  tryMs = FIRST_TRY_MS,
}: {
  servers?: string[]
  tryMs?: number
} = {}): DnsResolver {
  const resolver = new Resolver({ timeout: tryMs, tries: TRIES, maxTimeout: Math.max(tryMs, LATER_TRIES_MS) })
  if (servers) resolver.setServers(servers)
  return {
    async resolve(hostname) {
      const lookups = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
      const addresses = lookups.flatMap((lookup) => (lookup.status === 'fulfilled' ? lookup.value : []))
      if (addresses.length === 0) throw new Error('no address')
      return addresses
    },
    [Symbol.dispose]: () => resolver.cancel(),
  }
}
