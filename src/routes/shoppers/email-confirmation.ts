import { normalizeEmail } from '../../commands/shoppers/mailbox-request.ts'
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
import { buildSessionResponse, failAsCustomerSection, toCommandContext, toTenantColumns } from './shopper-response.ts'
import { CUSTOMER_LINKING_DEADLINE_MS, shopperRouteDefaults } from './shoppers.ts'

export const askForPasswordResetRoute = defineRoute({
  ...shopperRouteDefaults,
  path: '/v1/shoppers/password-reset',
  operationId: 'askForPasswordReset',
  summary:
    'Sends a letter to set a new password, if the address has an account; the answer is the same for every address',
  input: { body: PasswordResetIn },
  response: PasswordResetSent,
  status: 202,
  async answer({ body, commerce, merchant, principal, clientAddress }) {
    await requestPasswordReset({
      commerce,
      realm: toTenantColumns({ principal }),
      merchant,
      email: normalizeEmail(body.email),
      clientAddress,
    })
    return jsonResponse({ status: 'RESET_SENT' }, 202)
  },
})

export const confirmPasswordResetRoute = defineRoute({
  ...shopperRouteDefaults,
  path: '/v1/shoppers/password-reset/confirm',
  operationId: 'confirmPasswordReset',
  summary: 'Sets a new password with the token of a letter, and ends every other sign-in',
  input: { body: PasswordResetConfirmIn },
  response: ShopperSessionBody,
  async answer({ body, ...question }) {
    const { commerce, clientAddress } = question
    return buildSessionResponse(
      good(await resetPassword(commerce, toTenantColumns(question), body, clientAddress)),
      question,
    )
  },
})

export const verifyShopperRoute = defineRoute({
  ...shopperRouteDefaults,
  path: '/v1/shoppers/verify',
  operationId: 'verifyShopper',
  summary: 'Proves a mailbox with the token of a letter, and signs in: the account is made or linked now',
  input: { body: VerifyIn },
  response: ShopperSessionBody,
  deadlineMs: CUSTOMER_LINKING_DEADLINE_MS,
  async answer({ body, ...question }) {
    const verifying = verifyRegistration(toCommandContext(question), body, question.clientAddress)
    return buildSessionResponse(good(await failAsCustomerSection(verifying)), question)
  },
})

/** Unknown, used, expired and another merchant's are one. */
function good(session: OpenShopperSession | null): OpenShopperSession {
  if (session) return session
  throw new InvalidInput([
    { type: 'token_invalid', loc: ['body', 'token'], msg: 'The token is not valid, or no longer' },
  ])
}
