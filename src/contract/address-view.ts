import type { Address } from '../ports/customer.ts'

/** Members are named one by one. */
export function toAddressView(address: Address | null): Address | null {
  if (!address) return null
  const { line1, line2, city, region, postal_code, country } = address
  return { line1, line2, city, region, postal_code, country }
}
