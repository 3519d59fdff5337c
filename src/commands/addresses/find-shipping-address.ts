import type { AddressIn } from '../../contract/shoppers/address.ts'
import { UpstreamError } from '../../errors.ts'
import type { Address, Customer, CustomerAddress } from '../../ports/customer.ts'
import { type CustomerCommandContext, toCustomerKey } from '../command-context.ts'
import { createInvalidInput } from '../create-invalid-input.ts'
import { findUsedAddress } from './used-addresses.ts'

/** The address that a request names, or describes. */
export interface AddressChoice {
  shipping_address?: AddressIn | undefined
  shipping_address_id?: string | undefined
}

/** The addresses that a request may name. */
export interface KnownAddresses {
  customer: Pick<Customer, 'addresses'>
  /** The address of an earlier order that `shipping_address_id` names. */
  usedAddress: CustomerAddress | null
}

/** Reads the customer's addresses and returns the chosen one; `null`: the account has none. Rejects with UpstreamError and InvalidInput. */
export async function readShippingAddress(
  context: CustomerCommandContext,
  choice: AddressChoice,
  location: 'body' | 'query' = 'body',
): Promise<Address | null> {
  const { backOffice, customerId, requestScope, commerce } = context
  const { value: customer, error } = await backOffice.accounting.customer(customerId, requestScope)
  if (!customer) throw error ?? new UpstreamError('invalid', 'accounting does not know the customer')
  const { shipping_address_id = '' } = choice
  const usedAddress = await findUsedAddress(
    commerce.db,
    toCustomerKey(context),
    customer.addresses,
    shipping_address_id,
  )
  return findShippingAddress(choice, { customer, usedAddress }, location)
}

/** Returns the address that was chosen; without a choice, the default one of the account, or `null`. Throws InvalidInput. */
export function findShippingAddress(
  input: AddressChoice,
  { customer, usedAddress }: KnownAddresses,
  location: 'body' | 'query' = 'body',
): Address | null {
  const { shipping_address, shipping_address_id } = input
  if (shipping_address && shipping_address_id !== undefined)
    throw createInvalidInput(
      'only_one',
      [location, 'shipping_address_id'],
      'Specify either shipping_address or shipping_address_id',
      input,
    )
  if (shipping_address) return fromInputAddress(shipping_address)
  if (shipping_address_id === undefined) {
    const defaultAddress = findDefaultAddress(customer)
    return defaultAddress ? pickAddress(defaultAddress) : null
  }
  const known = customer.addresses.find(({ address_id }) => address_id === shipping_address_id) ?? usedAddress
  if (!known)
    throw createInvalidInput(
      'unknown_address',
      [location, 'shipping_address_id'],
      'The account has no such address. Send an address_id from GET /v1/me, or a shipping_address',
      input,
    )
  return pickAddress(known)
}

export const findDefaultAddress = ({ addresses }: Pick<Customer, 'addresses'>): CustomerAddress | undefined =>
  addresses.find((address) => address.is_default) ?? addresses[0]

export const fromInputAddress = ({ line1, line2, city, region, postal_code, country }: AddressIn): Address => ({
  line1,
  line2: line2 ?? null,
  city,
  region: region ?? null,
  postal_code: postal_code ?? null,
  country,
})

export const pickAddress = ({ line1, line2, city, region, postal_code, country }: Address): Address => ({
  line1,
  line2,
  city,
  region,
  postal_code,
  country,
})
