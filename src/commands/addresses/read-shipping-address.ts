import { UpstreamError } from '../../errors.ts'
import type { Address } from '../../ports/customer.ts'
import { type CustomerCommandContext, toCustomerKey } from '../command-context.ts'
import { type AddressChoice, findShippingAddress } from './find-shipping-address.ts'
import { findUsedAddress } from './used-addresses.ts'

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
