import { verifyRegistration } from '../../commands/shoppers/verify-registration.ts'
import { ShopperSessionBody, VerifyIn } from '../../contract/shoppers/shopper-account.ts'
import { defineRoute } from '../../http/route.ts'
import { failRequiredSection } from '../fail-required-section.ts'
import { toCommandContext } from '../to-command-context.ts'
import { requireSession } from './require-session.ts'
import { buildSessionResponse } from './session-response.ts'
import { CUSTOMER_LINKING_DEADLINE_MS, shopperRouteDefaults } from './shopper-route-defaults.ts'

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
    return buildSessionResponse(requireSession(await failRequiredSection('customer', verifying)), request)
  },
})
