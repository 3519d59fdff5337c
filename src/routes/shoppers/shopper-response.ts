import { listUsedAddresses } from '../../commands/addresses/used-addresses.ts'
import type { OpenShopperSession } from '../../commands/shoppers/open-shopper-session.ts'
import { type ApiRequest, type ApiResponse, jsonResponse } from '../../http/route.ts'
import type { Customer, CustomerAddress } from '../../ports/customer.ts'
import { fanOut } from '../../sections/fan-out.ts'
import { optional, valueSection } from '../../sections/section.ts'
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

/** Returns the addresses of a customer's orders that may be chosen again. */
export async function readUsedAddresses(
  { commerce, tenant }: Pick<ApiRequest, 'commerce' | 'tenant'>,
  customer_id: string,
  customer: Customer | null,
): Promise<CustomerAddress[]> {
  return customer ? listUsedAddresses(commerce.db, { ...tenant, customer_id }, customer.addresses) : []
}

type SessionRequest = Pick<ApiRequest, 'backOffice' | 'requestScope' | 'merchant' | 'commerce' | 'tenant'>

/** Returns a session with its customer, an optional section: signing in does not depend on the accounting system. */
export async function buildSessionResponse(session: OpenShopperSession, request: SessionRequest): Promise<ApiResponse> {
  const { backOffice, requestScope, merchant, commerce } = request
  const { values, errors, traces } = await fanOut(requestScope, {
    customer: optional(backOffice.accounting.customer(session.customerId, requestScope).then(valueSection)),
  })
  const used = await readUsedAddresses(request, session.customerId, values.customer)
  const customer = values.customer && toMe(values.customer, used, merchant.currency, errors)
  return { ...jsonResponse(toSessionBody(session, customer, errors, commerce.now())), traces }
}

export function toSessionBody(
  session: OpenShopperSession,
  customer: object | null,
  errors: readonly SectionError[],
  now: number,
) {
  return {
    shopper_token: session.shopperToken,
    token_type: 'Shopper',
    expires_at: session.expiresAt.toISOString(),
    expires_in: Math.max(0, Math.floor((session.expiresAt.getTime() - now) / 1_000)),
    refresh_token: session.refreshToken,
    refresh_expires_at: session.refreshExpiresAt.toISOString(),
    device_token: session.deviceToken,
    customer,
    errors,
  }
}
