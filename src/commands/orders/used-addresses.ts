import { toAddressView } from '../../contract/address-mapping.ts'
import type { Address, CustomerAddress } from '../../ports/customer.ts'
import { sha256Hex } from '../../security/sha256.ts'
import type { CustomerKey } from '../../storage/commerce/customer-columns.ts'
import { listShippingAddresses } from '../../storage/commerce/shipping-addresses.ts'
import type { Database } from '../../storage/database.ts'

const MAX_ADDRESSES = 10
const ID_PREFIX = 'used_'
const ID_LENGTH = 24

/** Returns whether an id may be that of an address of an order. */
export const isUsedAddressId = (addressId: string): boolean => addressId.startsWith(ID_PREFIX)

/** Returns the addresses that a customer's orders were sent to and that the account does not have, the last used first. */
export async function listUsedAddresses(
  db: Database,
  customer: CustomerKey,
  own: readonly Address[],
): Promise<CustomerAddress[]> {
  const known = new Set(own.map(toComparable))
  const used: CustomerAddress[] = []
  for (const address of await listShippingAddresses(db, customer)) {
    const comparable = toComparable(address)
    if (known.has(comparable) || used.length === MAX_ADDRESSES) continue
    known.add(comparable)
    used.push({ ...toAddressView(address)!, address_id: toAddressId(comparable), is_default: false })
  }
  return used
}

/** The id follows from the address, so that no table has to keep it. */
const toAddressId = (comparable: string) => `${ID_PREFIX}${sha256Hex(comparable).slice(0, ID_LENGTH)}`

/** Letter case and spaces do not make another address. */
const toComparable = ({ line1, line2, city, region, postal_code, country }: Address) =>
  JSON.stringify([line1, line2, city, region, postal_code, country].map(normalize))

const normalize = (text: string | null) => (text ?? '').trim().replace(/\s+/g, ' ').toLowerCase()
