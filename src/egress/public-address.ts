import ipaddr from 'ipaddr.js'

/** All of IPv6 that is given out for the internet at large (RFC 4291, IANA). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')
/** Public by number, but answered by the host's own platform in Azure. */
const PLATFORM = '168.63.129.16'

/**
 * Whether an address is one of the internet's: not private, loopback, link-local, shared (CGNAT), multicast, reserved, for
 * documentation or benchmarks, and none that carries an IPv4 address inside (mapped, compatible, NAT64, 6to4, Teredo).
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || address === PLATFORM) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST)
}
