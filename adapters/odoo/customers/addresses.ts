import { hash } from 'node:crypto'
import type { Call } from '../../../src/ports/call.ts'
import type { Address } from '../../../src/ports/customer.ts'
import { createRecordOnce } from '../client/create-record-once.ts'
import { toText } from '../client/odoo-values.ts'
import type { OdooContext } from '../context.ts'
import type { AddressRow, PartnerRow } from './partner-schemas.ts'

/** Returns an address; `null` for one without a street and a city. */
export function toAddress(row: AddressRow, country: string): Address | null {
  const [line1, city] = [toText(row.street), toText(row.city)]
  if (line1 === null && city === null) return null
  return {
    line1: line1 ?? '',
    line2: toText(row.street2),
    city: city ?? '',
    region: row.state_id ? row.state_id.name : null,
    postal_code: toText(row.zip),
    country: row.country_id ? row.country_id.code : country,
  }
}

/** Returns the addresses of a customer: their own, which is the default, and those of deliveries and other places. */
export function toCustomerAddresses(row: PartnerRow, country: string) {
  const places = [row, ...row.child_ids.filter(({ type }) => type === 'delivery' || type === 'other')]
  return places
    .flatMap((place) => {
      const address = toAddress(place, country)
      return address ? [{ address_id: String(place.id), ...address }] : []
    })
    .map((address, i) => ({ ...address, is_default: i === 0 }))
}

/**
 * Returns the contact of an address of an order, below the customer. Each address is created once, and remembered. A region that Odoo
 * does not have in that country is in the second line, so that staff can still read it.
 */
export async function saveAddress(
  { rpc, countriesAndStates, savedAddresses }: Pick<OdooContext, 'rpc' | 'countriesAndStates' | 'savedAddresses'>,
  customerId: number,
  type: 'delivery' | 'invoice',
  address: Address,
  call: Call,
): Promise<number> {
  const country = await countriesAndStates.findCountry(address.country, call)
  const state =
    country !== undefined && address.region !== null
      ? await countriesAndStates.findState(country, address.region, call)
      : undefined
  const street2 = [address.line2, state === undefined ? address.region : null].filter(Boolean).join(', ')
  const values: [string, string | null | undefined][] = [
    ['name', address.line1],
    ['type', type],
    ['parent_id/.id', String(customerId)],
    ['street', address.line1],
    ['street2', street2],
    ['city', address.city],
    ['zip', address.postal_code],
    ['country_id/.id', country === undefined ? null : String(country)],
    ['state_id/.id', state === undefined ? null : String(state)],
  ]
  const present = values.filter((one): one is [string, string] => Boolean(one[1]))
  const digest = hash('sha256', JSON.stringify(present)).slice(0, 32)
  const saved = savedAddresses.get(digest)
  if (saved !== undefined) return saved
  const rows = { fields: present.map(([field]) => field), data: [present.map(([, value]) => value)] }
  const id = await createRecordOnce(rpc, 'res.partner', `address_${digest}`, rows, call)
  savedAddresses.set(digest, id)
  return id
}
