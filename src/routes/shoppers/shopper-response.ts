import type { Place } from '../../commands/command-context.ts'
import type { OpenSession } from '../../commands/shoppers/shopper-session.ts'
import { UpstreamError } from '../../errors.ts'
import type { Customer, CustomerAddress } from '../../ports/customer.ts'
import { fanOut, one, optional, type SectionError, SectionFailed } from '../../sections/section.ts'
import type { Realm } from '../../storage/shoppers/shopper-accounts.ts'
import { type Answer, plain, type Question } from '../../http/route.ts'

export const realmOf = ({ principal }: Pick<Question, 'principal'>): Realm => ({
  tenant_id: principal.tenant_id,
  mode: principal.mode,
})

export const placeOf = ({ commerce, principal, merchant, office, asking }: Omit<Question, 'body'>): Place => ({
  ...{ commerce, tenantId: principal.tenant_id, mode: principal.mode },
  ...{ merchant, office, asking },
})

/** What the ledger failed at, as the failure of the whole answer. */
export async function fromLedger<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw error instanceof UpstreamError ? new SectionFailed('customer', error) : error
  }
}

/** A customer as its shopper sees it: what the ledger says beside is not passed on. */
export function meOf(customer: Customer, currency: string, errors: readonly SectionError[]) {
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

type Asked = Pick<Question, 'office' | 'asking' | 'merchant' | 'commerce'>

/** A sign-in does not need the ledger: what it says of the customer is put in when it can be had. */
export async function sessionAnswer(
  session: OpenSession,
  { office, asking, merchant, commerce }: Asked,
): Promise<Answer> {
  const { values, errors, traces } = await fanOut(asking, {
    customer: optional(office.account.customer(session.customerId, asking).then(one)),
  })
  const customer = values.customer && meOf(values.customer, merchant.currency, errors)
  return { ...plain(sessionBody(session, customer, errors, commerce.now())), traces }
}

export function sessionBody(
  session: OpenSession,
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
