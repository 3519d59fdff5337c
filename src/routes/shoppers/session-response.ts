import type { OpenShopperSession } from '../../commands/shoppers/open-shopper-session.ts'
import { type ApiRequest, type ApiResponse, jsonResponse } from '../../http/route.ts'
import { fanOut } from '../../sections/fan-out.ts'
import { optional, valueSection } from '../../sections/section.ts'
import type { SectionError } from '../../sections/section-errors.ts'
import { toMe } from './me-response.ts'
import { readUsedAddresses } from './read-used-addresses.ts'

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
