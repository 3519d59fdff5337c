import type { Customer, CustomerAddress } from '../../ports/customer.ts'
import type { SectionError } from '../../sections/section-errors.ts'

/** Returns a customer as its shopper sees it. Members are listed one by one, so that no other upstream data gets into the response. */
export function toMe(
  customer: Customer,
  used: readonly CustomerAddress[],
  currency: string,
  errors: readonly SectionError[],
) {
  const { customer_id, account_number, email, first_name, last_name, company, phone } = customer
  const { customer_type, status, payment_methods, addresses, created_at } = customer
  return {
    customer_id,
    account_number,
    email,
    first_name,
    last_name,
    company,
    phone,
    customer_type,
    status,
    currency,
    payment_methods,
    addresses: [
      ...addresses.map((address) => toAddress(address, 'ACCOUNT')),
      ...used.map((address) => toAddress(address, 'ORDER')),
    ],
    created_at,
    errors,
  }
}

function toAddress(
  { address_id, is_default, line1, line2, city, region, postal_code, country }: CustomerAddress,
  source: 'ACCOUNT' | 'ORDER',
) {
  return { address_id, is_default, line1, line2, city, region, postal_code, country, source }
}
