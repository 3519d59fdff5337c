import { type Static, Type } from 'typebox'
import type { Address, CustomerAddress } from '../../src/ports/customer.ts'
import { clamp, maybe } from './protocol.ts'

const LINE = 300

export const AddressRow = Type.Object({
  line1: Type.String(),
  line2: maybe(Type.String()),
  city: Type.String(),
  region: maybe(Type.String()),
  postal_code: maybe(Type.String()),
  country: Type.String({ pattern: '^[A-Za-z]{2}$' }),
})

export const CustomerAddressRow = Type.Intersect([
  AddressRow,
  Type.Object({ address_id: Type.String({ minLength: 1, maxLength: 128 }), is_default: Type.Optional(Type.Boolean()) }),
])

export function addressOf(row: Static<typeof AddressRow>): Address {
  return {
    line1: row.line1.slice(0, LINE),
    line2: clamp(row.line2, LINE),
    city: row.city.slice(0, LINE),
    region: clamp(row.region, LINE),
    postal_code: clamp(row.postal_code, 32),
    country: row.country.toUpperCase(),
  }
}

export const addressOrNull = (row: Static<typeof AddressRow> | null | undefined) => (row ? addressOf(row) : null)

export function customerAddressOf(row: Static<typeof CustomerAddressRow>): CustomerAddress {
  return { address_id: row.address_id, is_default: row.is_default ?? false, ...addressOf(row) }
}
