import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { canonicalizeAddress, createAddressMatcher } from '../../security/ip-address.ts'
import { findForwardedClient, UNKNOWN_ADDRESS } from './find-forwarded-client.ts'

export interface ClientAddressOptions {
  /** Addresses, CIDRs, and the word `loopback`. Absent: not configured; empty: there is no proxy. */
  trustedProxies: readonly string[] | undefined
  /** Called with a header that a proxy sends while `trustedProxies` is not configured, and the address that it came from. */
  onUntrustedProxy?: (header: ForwardingHeader, address: string) => void
}

export type ForwardingHeader = 'X-Forwarded-For' | 'Forwarded'

/** Determines the client of a request: the other end of its connection, or the client that a trusted proxy names. */
export interface ClientAddresses {
  /** Reads the address of a new connection. After the client has reset the connection, the address can no longer be read. */
  remember(socket: Socket): void
  /** Returns a canonical IP address, or `unknown`. */
  of(request: IncomingMessage): string
  /** Returns true when the client's connection is encrypted: to this process, or to a trusted proxy. */
  isSecure(request: IncomingMessage): boolean
}

/** The other end of a connection. */
interface Peer {
  address: string
  isTrusted: boolean
}

export function createClientAddresses({ trustedProxies, onUntrustedProxy }: ClientAddressOptions): ClientAddresses {
  const isTrusted = createAddressMatcher(trustedProxies ?? [])
  const report = trustedProxies === undefined ? onUntrustedProxy : undefined
  const peers = new WeakMap<Socket, Peer>()

  function readPeer(socket: Socket): Peer {
    const address = canonicalizeAddress(socket.remoteAddress ?? '') ?? UNKNOWN_ADDRESS
    const peer = { address, isTrusted: isTrusted(address) }
    peers.set(socket, peer)
    return peer
  }
  const peerOf = ({ socket }: IncomingMessage) => peers.get(socket) ?? readPeer(socket)

  return {
    remember: (socket) => void readPeer(socket),
    of(request) {
      const peer = peerOf(request)
      if (peer.isTrusted) return findForwardedClient(request.headers, isTrusted) ?? peer.address
      if (report) reportForwarding(request.headers, peer, report)
      return peer.address
    },
    isSecure(request) {
      if ((request.socket as Partial<TLSSocket>).encrypted) return true
      const protocol = request.headers['x-forwarded-proto']
      return protocol !== undefined && peerOf(request).isTrusted && /^https\s*(?:,|$)/i.test(String(protocol))
    },
  }
}

function reportForwarding(
  headers: IncomingHttpHeaders,
  { address }: Peer,
  report: NonNullable<ClientAddressOptions['onUntrustedProxy']>,
): void {
  if (headers['x-forwarded-for'] !== undefined) report('X-Forwarded-For', address)
  else if (headers.forwarded !== undefined) report('Forwarded', address)
}
