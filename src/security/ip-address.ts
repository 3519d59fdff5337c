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

/** Returns true for an IPv6 address, or a network of such, that stands for an IPv4 address, however it is written. */
export function isMappedAddress(text: string): boolean {
  const address = ipaddr.parse(text)
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress()
}

/** The first and the last public address of each family, as numbers. */
const PUBLIC = [
  { family: 'IPv4', kind: 'ipv4', bits: 32n, first: 0x01000000n, last: 0xdfffffffn },
  { family: 'IPv6', kind: 'ipv6', bits: 128n, first: 2n << 124n, last: (4n << 124n) - 1n },
] as const

/** Returns the families (`IPv4`, `IPv6`) of which these addresses and CIDRs together contain every public address. */
export function findCoveredFamilies(ranges: readonly string[]): string[] {
  const networks = ranges.map(parseRange)
  return PUBLIC.filter(({ kind, bits, first, last }) => {
    const spans = networks
      .filter(([address]) => address.kind() === kind)
      .map(([address, prefix]) => {
        const hostBits = bits - BigInt(prefix)
        const start = (BigInt(`0x${Buffer.from(address.toByteArray()).toString('hex')}`) >> hostBits) << hostBits
        return { start, end: start + (1n << hostBits) }
      })
      .sort((one, other) => (one.start < other.start ? -1 : 1))
    let covered: bigint = first
    for (const { start, end } of spans) if (start <= covered && end > covered) covered = end
    return covered > last
  }).map(({ family }) => family)
}

const parseRange = (range: string) =>
  ipaddr.parseCIDR(range.includes('/') ? range : `${range}/${isIPv4(range) ? 32 : 128}`)

/** Returns a test for addresses in any of these ranges: addresses, CIDRs, and the word `loopback`. */
export function createAddressMatcher(ranges: readonly string[]): (address: string) => boolean {
  const networks = ranges.flatMap((range) => (range === 'loopback' ? LOOPBACK : [range])).map(parseRange)
  return (text) => {
    if (networks.length === 0 || isIP(text) === 0) return false
    const address = ipaddr.parse(text)
    return networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))
  }
}
