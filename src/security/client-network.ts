import { isIPv6, SocketAddress } from 'node:net'

/** Returns the /64 network of an IPv6 address, which one client owns as a whole. Any other text stays as it is. */
export function toClientNetwork(address: string): string {
  if (!isIPv6(address)) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped) return mapped
  const [head = '', tail = ''] = new SocketAddress({
    family: 'ipv6',
    address: address.replace(/%.*/, ''),
  }).address.split('::')
  const groups = head === '' ? [] : head.split(':')
  const after = tail === '' ? 0 : tail.split(':').length
  while (groups.length + after < 8) groups.push('0')
  return groups.slice(0, 4).join(':')
}
