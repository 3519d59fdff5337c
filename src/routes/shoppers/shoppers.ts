import { logIn } from '../../commands/shoppers/log-in.ts'
import { logOut } from '../../commands/shoppers/log-out.ts'
import { normalizeEmail } from '../../commands/shoppers/mailbox-request.ts'
import { refreshSession } from '../../commands/shoppers/refresh-session.ts'
import { registerShopperAccount } from '../../commands/shoppers/register-shopper.ts'
import { LoginIn, RefreshIn, RegisterIn, ShopperSessionBody, VerificationSent } from '../../contract/shopper.ts'
import { defineRoute, jsonResponse } from '../../http/route.ts'
import {
  buildSessionResponse,
  failAsCustomerSection,
  toCommandContext,
  toMe,
  toSessionBody,
  toTenantColumns,
} from './shopper-response.ts'

/** What all of these share: a publishable key starts them, and nothing of them is echoed or kept. */
export const shopperRouteDefaults = {
  method: 'POST',
  tag: 'Shoppers',
  scope: 'storefront:auth',
  secretInput: true,
  caching: 'none',
} as const
/** Two questions to the ledger, one after the other. */
export const CUSTOMER_LINKING_DEADLINE_MS = 5_000

/**
 * 201 signs in at once, and so tells that the address was new: only where the merchant's `registration` is `immediate`, which is what a
 * sandbox does when nothing is said. `verified`, the same for live, answers 202 to every address.
 */
export const registerShopperRoute = defineRoute({
  ...shopperRouteDefaults,
  path: '/v1/shoppers',
  operationId: 'registerShopper',
  summary:
    'Registers a shopper, or sends a letter to prove the mailbox; where registration is verified, always a letter',
  input: { body: RegisterIn },
  response: ShopperSessionBody,
  status: 201,
  alternatives: { 202: VerificationSent },
  deadlineMs: CUSTOMER_LINKING_DEADLINE_MS,
  async answer({ body, ...question }) {
    const { email, password, first_name, last_name, company, phone } = body
    const names = { first_name, last_name, company: company || null, phone: phone || null }
    const application = { email: normalizeEmail(email), password, ...names }
    const registered = await failAsCustomerSection(
      registerShopperAccount(toCommandContext(question), application, question.clientAddress),
    )
    if (!registered) return jsonResponse({ status: 'VERIFICATION_SENT' }, 202)
    const me = toMe(registered.customer, question.merchant.currency, [])
    return jsonResponse(toSessionBody(registered.session, me, [], question.commerce.now()), 201)
  },
})

export const logInShopperRoute = defineRoute({
  ...shopperRouteDefaults,
  path: '/v1/shoppers/login',
  operationId: 'logInShopper',
  summary: 'Signs a shopper in',
  input: { body: LoginIn },
  response: ShopperSessionBody,
  async answer({ body: { email, password }, ...question }) {
    const credentials = { email: normalizeEmail(email), password }
    const session = await logIn(question.commerce, toTenantColumns(question), credentials, question.clientAddress)
    return buildSessionResponse(session, question)
  },
})

export const refreshShopperRoute = defineRoute({
  ...shopperRouteDefaults,
  path: '/v1/shoppers/refresh',
  operationId: 'refreshShopper',
  summary: 'Exchanges a refresh token for new tokens; one that was exchanged before ends the whole sign-in',
  input: { body: RefreshIn },
  response: ShopperSessionBody,
  async answer({ body, ...question }) {
    return buildSessionResponse(
      await refreshSession(question.commerce, toTenantColumns(question), body.refresh_token),
      question,
    )
  },
})

export const logOutShopperRoute = defineRoute({
  ...shopperRouteDefaults,
  path: '/v1/shoppers/logout',
  operationId: 'logOutShopper',
  summary: 'Ends a sign-in: its refresh tokens and its shopper tokens',
  input: { body: RefreshIn },
  response: null,
  async answer({ body, ...question }) {
    await logOut(question.commerce, toTenantColumns(question), body.refresh_token)
    return jsonResponse({}, 204)
  },
})
