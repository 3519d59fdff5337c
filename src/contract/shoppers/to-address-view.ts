import type { Address } from '../../ports/customer.ts'

/** Lists members one by one, so that no other upstream data gets into a response. */
export function toAddressView(address: Address | null): Address | null {
  if (!address) return null
  const { line1, line2, city, region, postal_code, country } = address
  return { line1, line2, city, region, postal_code, country }
}
