import { type Static, Type } from 'typebox'
import type { Address, CustomerAddress } from '../../src/ports/customer.ts'
import { nullish, truncateText } from './protocol-values.ts'

const MAX_LINE_LENGTH = 300

export const AddressRow = Type.Object({
  line1: Type.String(),
  line2: nullish(Type.String()),
  city: Type.String(),
  region: nullish(Type.String()),
  postal_code: nullish(Type.String()),
  country: Type.String({ pattern: '^[A-Za-z]{2}$' }),
})

export const CustomerAddressRow = Type.Intersect([
  AddressRow,
  Type.Object({ address_id: Type.String({ minLength: 1, maxLength: 128 }), is_default: Type.Optional(Type.Boolean()) }),
])

export function toAddress(row: Static<typeof AddressRow>): Address {
  return {
    line1: row.line1.slice(0, MAX_LINE_LENGTH),
    line2: truncateText(row.line2, MAX_LINE_LENGTH),
    city: row.city.slice(0, MAX_LINE_LENGTH),
    region: truncateText(row.region, MAX_LINE_LENGTH),
    postal_code: truncateText(row.postal_code, 32),
    country: row.country.toUpperCase(),
  }
}

export const toAddressOrNull = (row: Static<typeof AddressRow> | null | undefined) => (row ? toAddress(row) : null)

export function toCustomerAddress(row: Static<typeof CustomerAddressRow>): CustomerAddress {
  return { address_id: row.address_id, is_default: row.is_default ?? false, ...toAddress(row) }
}
