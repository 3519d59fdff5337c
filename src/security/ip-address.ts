import { isIP, isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

const LOOPBACK = ['127.0.0.0/8', '::1/128']

/** Returns an IP address in its canonical form, without a zone; an IPv4-mapped IPv6 address as IPv4. `null` for any other text. */
export function canonicalizeAddress(text: string): string | null {
  if (isIPv4(text)) return text
  return isIP(text) === 0 ? null : ipaddr.process(text.replace(/%.*/, '')).toString()
}

/** Shortens an IPv6 address to its /64 network, which one client owns as a whole. Any other text stays as it is. */
export function toNetwork(text: string): string {
  if (!text.includes(':') || isIP(text) === 0) return text
  const address = ipaddr.process(text.replace(/%.*/, ''))
  if (address instanceof ipaddr.IPv4) return address.toString()
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}

/** Returns a test for addresses in any of these ranges: addresses, CIDRs, and the word `loopback`. */
export function createAddressMatcher(ranges: readonly string[]): (address: string) => boolean {
  const networks = ranges
    .flatMap((range) => (range === 'loopback' ? LOOPBACK : [range]))
    .map((range) => ipaddr.parseCIDR(range.includes('/') ? range : `${range}/${isIPv4(range) ? 32 : 128}`))
  return (text) => {
    if (networks.length === 0 || isIP(text) === 0) return false
    const address = ipaddr.parse(text)
    return networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))
  }
}
