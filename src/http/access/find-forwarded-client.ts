import type { IncomingHttpHeaders } from 'node:http'
import { canonicalizeAddress } from '../../security/ip-address.ts'

/** Stands for every client whose address is not known (RFC 7239, 6.2). They share one limit. */
export const UNKNOWN_ADDRESS = 'unknown'

const NAME = "[\\w!#$%&'*+.^`|~-]+"
/** One `name=value` of Forwarded. Stricter than RFC 7239: without escapes, which a client could use to hide what a proxy appends. */
const FORWARDED_PAIR = new RegExp(`^(${NAME})=(?:([^\\s",;\\\\]+)|"([^"\\\\]*)")$`)
const BRACKETED = /^\[([^\]]+)\](?::(?:\d+|_[\w.-]+))?$/
const WITH_PORT = /^([^:]+):(?:\d+|_[\w.-]+)$/

/**
 * Returns the client that the forwarding headers of a trusted proxy name: the first address from the right that is not a trusted proxy's,
 * because everything to the left of it is the client's own text. `unknown` when that place is malformed, or when X-Forwarded-For and
 * Forwarded name different clients: a proxy writes one of them and passes on the other. `null` without such headers.
 */
export function findForwardedClient(
  { 'x-forwarded-for': xForwardedFor, forwarded }: IncomingHttpHeaders,
  isTrusted: (address: string) => boolean,
): string | null {
  const byFor = xForwardedFor === undefined ? null : findClient(String(xForwardedFor), parseNode, isTrusted)
  const byForwarded = forwarded === undefined ? null : findClient(forwarded, parseForwardedElement, isTrusted)
  if (byFor === null || byForwarded === null) return byFor ?? byForwarded
  return byFor === byForwarded ? byFor : UNKNOWN_ADDRESS
}

/** When every hop is trusted, the client is the one furthest away. `null` for a header without elements. */
function findClient(
  header: string,
  parse: (element: string) => string | null,
  isTrusted: (address: string) => boolean,
): string | null {
  let client: string | null = null
  for (const element of elementsFromRight(header)) {
    client = parse(element)
    if (client === null) return UNKNOWN_ADDRESS
    if (!isTrusted(client)) return client
  }
  return client
}

/** Lists the elements of a header from the right, without empty ones. Lazily: only trusted hops are looked at. */
function* elementsFromRight(header: string): Generator<string> {
  for (let end = header.length; end > 0; ) {
    const comma = header.lastIndexOf(',', end - 1)
    const element = header.slice(comma + 1, end).trim()
    if (element !== '') yield element
    end = comma
  }
}

/** Returns the address of a node, which may have a port: `192.0.2.1:80`, `[2001:db8::1]:443`. `null` for anything else. */
function parseNode(text: string): string | null {
  const host = BRACKETED.exec(text)?.[1] ?? WITH_PORT.exec(text)?.[1] ?? text
  return canonicalizeAddress(host)
}

/** Returns the address in `for=` of one element of Forwarded. `null` when it is absent, repeated, hidden or malformed. */
function parseForwardedElement(element: string): string | null {
  let node: string | null = null
  for (const text of element.split(';')) {
    const pair = FORWARDED_PAIR.exec(text.trim())
    if (!pair) return null
    if (pair[1]!.toLowerCase() !== 'for') continue
    if (node !== null) return null
    node = pair[2] ?? pair[3]!
  }
  return node === null ? null : parseNode(node)
}
