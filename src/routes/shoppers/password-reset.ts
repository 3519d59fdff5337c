import { normalizeEmail } from '../../commands/shoppers/normalize-email.ts'
import { requestPasswordReset } from '../../commands/shoppers/request-password-reset.ts'
import { resetPassword } from '../../commands/shoppers/reset-password.ts'
import {
  PasswordResetConfirmIn,
  PasswordResetIn,
  PasswordResetSent,
  ShopperSessionBody,
} from '../../contract/shoppers/shopper-account.ts'
import { defineRoute, jsonResponse } from '../../http/route.ts'
import { requireSession } from './require-session.ts'
import { buildSessionResponse } from './session-response.ts'
import { shopperRouteDefaults } from './shopper-route-defaults.ts'

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
