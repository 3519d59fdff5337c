import ipaddr from 'ipaddr.js'

/** The IPv6 addresses of the public internet (RFC 4291, IANA). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')
/** A public address that reaches the host's own platform in Azure. */
const AZURE_PLATFORM = '168.63.129.16'

/**
 * Returns whether an address is public: not private, loopback, link-local, shared (CGNAT), multicast, reserved, for documentation or
 * benchmarks, and not an IPv6 address that embeds an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo).
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || address === AZURE_PLATFORM) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST)
}
