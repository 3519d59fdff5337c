import { toAddressView } from '../../contract/shoppers/to-address-view.ts'
import type { Address, CustomerAddress } from '../../ports/customer.ts'
import { sha256Hex } from '../../security/sha256.ts'
import type { CustomerKey } from '../../storage/commerce/customer-key.ts'
import { type AddressedOrders, listShippingAddresses } from '../../storage/commerce/order-shipping-addresses.ts'
import type { Database } from '../../storage/database.ts'

const MAX_ADDRESSES = 10
const SHOWN: AddressedOrders = { limit: MAX_ADDRESSES, statuses: ['CONFIRMED'] }
/** A page may have shown an address before later orders pushed it out, or its order was cancelled. */
const CHOSEN: AddressedOrders = { limit: 500, statuses: ['CONFIRMED', 'CANCELLED', 'PENDING'] }
const ID_PREFIX = 'used_'
const ID_LENGTH = 24

/** Returns the addresses that a customer's orders were sent to and that the account does not have, the last used first. */
export async function listUsedAddresses(
  db: Database,
  customer: CustomerKey,
  own: readonly Address[],
): Promise<CustomerAddress[]> {
  const known = new Set(own.map(toComparable))
  const used: CustomerAddress[] = []
  for (const address of await listShippingAddresses(db, customer, SHOWN)) {
    const comparable = toComparable(address)
    if (known.has(comparable) || used.length === MAX_ADDRESSES) continue
    known.add(comparable)
    used.push({ ...toAddressView(address)!, address_id: toAddressId(comparable), is_default: false })
  }
  return used
}

/** Returns the address with an id that `listUsedAddresses` has returned, also where it would no longer list it; `null`: the customer used none. */
export async function findUsedAddress(
  db: Database,
  customer: CustomerKey,
  own: readonly Address[],
  addressId: string,
): Promise<CustomerAddress | null> {
  if (!addressId.startsWith(ID_PREFIX)) return null
  const hasId = (address: Address) => toAddressId(toComparable(address)) === addressId
  // The account may have got the address since.
  const found = own.find(hasId) ?? (await listShippingAddresses(db, customer, CHOSEN)).find(hasId)
  return found ? { ...toAddressView(found)!, address_id: addressId, is_default: false } : null
}

/** The id follows from the address, so that no table has to keep it. */
const toAddressId = (comparable: string) => `${ID_PREFIX}${sha256Hex(comparable).slice(0, ID_LENGTH)}`

/** Letter case and spaces do not make another address. */
const toComparable = ({ line1, line2, city, region, postal_code, country }: Address) =>
  JSON.stringify([line1, line2, city, region, postal_code, country].map(normalize))

const normalize = (text: string | null) => (text ?? '').trim().replace(/\s+/g, ' ').toLowerCase()
