import { logIn } from '../../commands/shoppers/log-in.ts'
import { logOut } from '../../commands/shoppers/log-out.ts'
import { normalizeEmail } from '../../commands/shoppers/normalize-email.ts'
import { refreshSession } from '../../commands/shoppers/refresh-session.ts'
import { registerShopperAccount } from '../../commands/shoppers/register-shopper.ts'
import {
  LoginIn,
  RefreshIn,
  RegisterIn,
  ShopperSessionBody,
  VerificationSent,
} from '../../contract/shoppers/shopper-account.ts'
import { defineRoute, jsonResponse } from '../../http/route.ts'
import { failRequiredSection } from '../fail-required-section.ts'
import { toCommandContext } from '../to-command-context.ts'
import { toMe } from './me-response.ts'
import { buildSessionResponse, toSessionBody } from './session-response.ts'
import { CUSTOMER_LINKING_DEADLINE_MS, shopperRouteDefaults } from './shopper-route-defaults.ts'

/**
 * 201 signs the shopper in and thereby reveals that the address was new: only where the merchant's `registration` is `immediate`, the
 * default in the sandbox. With `verified`, the default in live mode, every address gets 202.
 */
export const registerShopperRoute = defineRoute({
  ...shopperRouteDefaults,
  path: '/v1/shoppers',
  operationId: 'registerShopper',
  summary:
    'Register a shopper, or send an email to confirm the address: always the email if registration requires a verified address',
  input: { body: RegisterIn },
  response: ShopperSessionBody,
  status: 201,
  alternatives: { 202: VerificationSent },
  deadlineMs: CUSTOMER_LINKING_DEADLINE_MS,
  async handle({ body, ...request }) {
    const { email, password, first_name, last_name, company, phone } = body
    const profile = { first_name, last_name, company: company || null, phone: phone || null }
    const application = { email: normalizeEmail(email), password, ...profile }
    const registered = await failRequiredSection(
      'customer',
      registerShopperAccount(toCommandContext(request), application, request.clientAddress),
    )
    if (!registered) return jsonResponse({ status: 'VERIFICATION_SENT' }, 202)
    const me = toMe(registered.customer, [], request.merchant.currency, [])
    return jsonResponse(toSessionBody(registered.session, me, [], request.commerce.now()), 201)
  },
})

export const logInShopperRoute = defineRoute({
  ...shopperRouteDefaults,
  path: '/v1/shoppers/login',
  operationId: 'logInShopper',
  summary: 'Sign a shopper in',
  input: { body: LoginIn },
  response: ShopperSessionBody,
  async handle({ body: { email, password, device_token: deviceToken }, ...request }) {
    const credentials = { email: normalizeEmail(email), password, deviceToken }
    const session = await logIn(request.commerce, request.tenant, credentials, request.clientAddress)
    return buildSessionResponse(session, request)
  },
})

export const refreshShopperRoute = defineRoute({
  ...shopperRouteDefaults,
  path: '/v1/shoppers/refresh',
  operationId: 'refreshShopper',
  summary: 'Exchange a refresh token for new tokens; a token that was used before ends the session',
  input: { body: RefreshIn },
  response: ShopperSessionBody,
  async handle({ body, ...request }) {
    return buildSessionResponse(await refreshSession(request.commerce, request.tenant, body.refresh_token), request)
  },
})

export const logOutShopperRoute = defineRoute({
  ...shopperRouteDefaults,
  path: '/v1/shoppers/logout',
  operationId: 'logOutShopper',
  summary: 'End a session, with its refresh tokens and shopper tokens',
  input: { body: RefreshIn },
  response: null,
  async handle({ body, ...request }) {
    await logOut(request.commerce, request.tenant, body.refresh_token)
    return jsonResponse({}, 204)
  },
})
