import type { CommandContext } from '../../commands/command-context.ts'
import type { OpenShopperSession } from '../../commands/shoppers/shopper-session.ts'
import { UpstreamError } from '../../errors.ts'
import { type ApiRequest, type ApiResponse, jsonResponse } from '../../http/route.ts'
import type { Customer, CustomerAddress } from '../../ports/customer.ts'
import { fanOut, optional, type SectionError, SectionFailed, valueSection } from '../../sections/section.ts'
import type { TenantColumns } from '../../storage/shoppers/shopper-accounts.ts'

export const toTenantColumns = ({ principal }: Pick<ApiRequest, 'principal'>): TenantColumns => ({
  tenant_id: principal.tenant_id,
  mode: principal.mode,
})

export const toCommandContext = ({
  commerce,
  principal,
  merchant,
  backOffice,
  requestScope,
}: Omit<ApiRequest, 'body'>): CommandContext => ({
  ...{ commerce, tenantId: principal.tenant_id, mode: principal.mode },
  ...{ merchant, backOffice, requestScope },
})

/** What the ledger failed at, as the failure of the whole answer. */
export async function failAsCustomerSection<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw error instanceof UpstreamError ? new SectionFailed('customer', error) : error
  }
}

/** A customer as its shopper sees it: what the ledger says beside is not passed on. */
export function toMe(customer: Customer, currency: string, errors: readonly SectionError[]) {
  const { customer_id, account_number, email, first_name, last_name, company, phone } = customer
  const { customer_type, status, payment_methods, addresses, created_at } = customer
  return {
    ...{ customer_id, account_number, email, first_name, last_name, company, phone, customer_type, status },
    ...{ currency, payment_methods, addresses: addresses.map(addressOf), created_at, errors },
  }
}

function addressOf({ address_id, is_default, line1, line2, city, region, postal_code, country }: CustomerAddress) {
  return { address_id, is_default, line1, line2, city, region, postal_code, country }
}

type Asked = Pick<ApiRequest, 'backOffice' | 'requestScope' | 'merchant' | 'commerce'>

/** A sign-in does not need the ledger: what it says of the customer is put in when it can be had. */
export async function buildSessionResponse(
  session: OpenShopperSession,
  { backOffice, requestScope, merchant, commerce }: Asked,
): Promise<ApiResponse> {
  const { values, errors, traces } = await fanOut(requestScope, {
    customer: optional(backOffice.accounting.customer(session.customerId, requestScope).then(valueSection)),
  })
  const customer = values.customer && toMe(values.customer, merchant.currency, errors)
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
    customer,
    errors,
  }
}
