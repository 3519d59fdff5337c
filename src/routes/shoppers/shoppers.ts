import { logIn } from '../../commands/shoppers/log-in.ts'
import { logOut } from '../../commands/shoppers/log-out.ts'
import { emailOf } from '../../commands/shoppers/mailbox-request.ts'
import { refresh } from '../../commands/shoppers/refresh-session.ts'
import { register } from '../../commands/shoppers/register-shopper.ts'
import { LoginIn, RefreshIn, RegisterIn, Session, VerificationSent } from '../../contract/shopper.ts'
import { plain, route } from '../../http/route.ts'
import { fromLedger, meOf, placeOf, realmOf, sessionAnswer, sessionBody } from './shopper-response.ts'

/** What all of these share: a publishable key starts them, and nothing of them is echoed or kept. */
export const signIn = {
  method: 'POST',
  tag: 'Shoppers',
  scope: 'storefront:auth',
  secretInput: true,
  caching: 'none',
} as const
/** Two questions to the ledger, one after the other. */
export const LINKING_MS = 5_000

/**
 * 201 signs in at once, and so tells that the address was new: only where the merchant's `registration` is `immediate`, which is what a
 * sandbox does when nothing is said. `verified`, the same for live, answers 202 to every address.
 */
export const registerShopper = route({
  ...signIn,
  path: '/v1/shoppers',
  operationId: 'registerShopper',
  summary:
    'Registers a shopper, or sends a letter to prove the mailbox; where registration is verified, always a letter',
  input: { body: RegisterIn },
  response: Session,
  status: 201,
  alternatives: { 202: VerificationSent },
  deadlineMs: LINKING_MS,
  async answer({ body, ...question }) {
    const { email, password, first_name, last_name, company, phone } = body
    const names = { first_name, last_name, company: company || null, phone: phone || null }
    const application = { email: emailOf(email), password, ...names }
    const registered = await fromLedger(register(placeOf(question), application, question.clientAddress))
    if (!registered) return plain({ status: 'VERIFICATION_SENT' }, 202)
    const me = meOf(registered.customer, question.merchant.currency, [])
    return plain(sessionBody(registered.session, me, [], question.commerce.now()), 201)
  },
})

export const logInShopper = route({
  ...signIn,
  path: '/v1/shoppers/login',
  operationId: 'logInShopper',
  summary: 'Signs a shopper in',
  input: { body: LoginIn },
  response: Session,
  async answer({ body: { email, password }, ...question }) {
    const credentials = { email: emailOf(email), password }
    const session = await logIn(question.commerce, realmOf(question), credentials, question.clientAddress)
    return sessionAnswer(session, question)
  },
})

export const refreshShopper = route({
  ...signIn,
  path: '/v1/shoppers/refresh',
  operationId: 'refreshShopper',
  summary: 'Exchanges a refresh token for new tokens; one that was exchanged before ends the whole sign-in',
  input: { body: RefreshIn },
  response: Session,
  async answer({ body, ...question }) {
    return sessionAnswer(await refresh(question.commerce, realmOf(question), body.refresh_token), question)
  },
})

export const logOutShopper = route({
  ...signIn,
  path: '/v1/shoppers/logout',
  operationId: 'logOutShopper',
  summary: 'Ends a sign-in: its refresh tokens and its shopper tokens',
  input: { body: RefreshIn },
  response: null,
  async answer({ body, ...question }) {
    await logOut(question.commerce, realmOf(question), body.refresh_token)
    return plain({}, 204)
  },
})
