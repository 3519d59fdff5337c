import { Resolver } from 'node:dns/promises'

/** All addresses of a host name. Rejects when there is none. */
export type HostLookup = (hostname: string) => Promise<string[]>

export interface DnsResolver extends Disposable {
  resolve: HostLookup
}

/** Together shorter than connecting may take. */
const TRY_MS = 1_000
const LATER_TRIES_MS = 1_500
const TRIES = 3

/**
 * Asks the name servers themselves (c-ares), not through the system: that would hold one of libuv's few threads for as long as a
 * name server hangs. `servers`: those of the system, when they are not said.
 */
export function createDnsResolver({
  servers,
  tryMs = TRY_MS,
}: {
  servers?: string[]
  tryMs?: number
} = {}): DnsResolver {
  const resolver = new Resolver({ timeout: tryMs, tries: TRIES, maxTimeout: Math.max(tryMs, LATER_TRIES_MS) })
  if (servers) resolver.setServers(servers)
  return {
    async resolve(hostname) {
      const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
      const addresses = found.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
      if (addresses.length === 0) throw new Error('no address')
      return addresses
    },
    [Symbol.dispose]: () => resolver.cancel(),
  }
}
