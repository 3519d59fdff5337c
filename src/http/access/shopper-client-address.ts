import { canonicalizeAddress } from '../../security/ip-address.ts'
import type { Context } from '../context.ts'
import type { ApiRequest } from '../route.ts'

/**
 * Returns the shopper's address: a browser's own, or the one that a server names. The address of a server itself is never used,
 * because with attempts counted by it one attacker could lock out every shopper.
 */
export function shopperAddressOf({ state, req }: Context): string | null {
  if (state.key!.record.kind !== 'secret') return state.clientAddress
  return canonicalizeAddress(String(req.headers['x-storefront-client-ip'] ?? ''))
}

const INVALID_CLIENT_ADDRESS =
  'X-Storefront-Client-IP is not an IP address and was ignored. Send the address of the shopper, such as 203.0.113.7.'

/** Without a valid address, all shoppers of a server count as one client. */
export const hintAtClientAddress = (
  header: string | string[] | undefined,
  { apiKey, clientAddress }: Pick<ApiRequest, 'apiKey' | 'clientAddress'>,
): string | null =>
  header !== undefined && clientAddress === null && apiKey.kind === 'secret' ? INVALID_CLIENT_ADDRESS : null
