import { normalizeEmail } from '../../commands/shoppers/email-token-request.ts'
import { requestPasswordReset, resetPassword } from '../../commands/shoppers/reset-password.ts'
import type { OpenShopperSession } from '../../commands/shoppers/shopper-session.ts'
import { verifyRegistration } from '../../commands/shoppers/verify-registration.ts'
import {
  PasswordResetConfirmIn,
  PasswordResetIn,
  PasswordResetSent,
  ShopperSessionBody,
  VerifyIn,
} from '../../contract/shopper.ts'
import { InvalidInput } from '../../errors.ts'
import { defineRoute, jsonResponse } from '../../http/route.ts'
import { failAsSection, toCommandContext } from '../to-command-context.ts'
import { buildSessionResponse } from './shopper-response.ts'
import { CUSTOMER_LINKING_DEADLINE_MS, shopperRouteDefaults } from './shoppers.ts'

export const askForPasswordResetRoute = defineRoute({
  ...shopperRouteDefaults,
  path: '/v1/shoppers/password-reset',
  operationId: 'askForPasswordReset',
  summary:
    'Send an email to set a new password, if the address has an account; the response is the same for every address',
  input: { body: PasswordResetIn },
  response: PasswordResetSent,
  status: 202,
  async handle({ body, commerce, merchant, tenant, clientAddress }) {
    await requestPasswordReset({
      commerce,
      tenant,
      merchant,
      email: normalizeEmail(body.email),
      clientAddress,
      deviceToken: body.device_token,
    })
    return jsonResponse({ status: 'RESET_SENT' }, 202)
  },
})

export const confirmPasswordResetRoute = defineRoute({
  ...shopperRouteDefaults,
  path: '/v1/shoppers/password-reset/confirm',
  operationId: 'confirmPasswordReset',
  summary: 'Set a new password with the token of an email, and end every other session',
  input: { body: PasswordResetConfirmIn },
  response: ShopperSessionBody,
  async handle({ body, ...request }) {
    const { commerce, clientAddress } = request
    return buildSessionResponse(
      requireSession(await resetPassword(commerce, request.tenant, body, clientAddress)),
      request,
    )
  },
})

export const verifyShopperRoute = defineRoute({
  ...shopperRouteDefaults,
  path: '/v1/shoppers/verify',
  operationId: 'verifyShopper',
  summary: 'Confirm an address with the token of an email, and sign in: this creates or links the account',
  input: { body: VerifyIn },
  response: ShopperSessionBody,
  deadlineMs: CUSTOMER_LINKING_DEADLINE_MS,
  async handle({ body, ...request }) {
    const verifying = verifyRegistration(toCommandContext(request), body, request.clientAddress)
    return buildSessionResponse(requireSession(await failAsSection('customer', verifying)), request)
  },
})

/** Unknown, used and expired tokens, and those of another merchant, get the same error. */
function requireSession(session: OpenShopperSession | null): OpenShopperSession {
  if (session) return session
  throw new InvalidInput([
    { type: 'token_invalid', loc: ['body', 'token'], msg: 'The token is invalid, expired or already used' },
  ])
}
