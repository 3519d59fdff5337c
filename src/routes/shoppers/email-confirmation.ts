import { emailOf } from '../../commands/shoppers/mailbox-request.ts'
import { askForReset, resetPassword } from '../../commands/shoppers/reset-password.ts'
import type { OpenSession } from '../../commands/shoppers/shopper-session.ts'
import { verify } from '../../commands/shoppers/verify-registration.ts'
import { ConfirmIn, MailboxIn, ResetSent, Session, VerifyIn } from '../../contract/shopper.ts'
import { Invalid } from '../../errors.ts'
import { plain, route } from '../../http/route.ts'
import { fromLedger, placeOf, realmOf, sessionAnswer } from './shopper-response.ts'
import { LINKING_MS, signIn } from './shoppers.ts'

export const askForPasswordReset = route({
  ...signIn,
  path: '/v1/shoppers/password-reset',
  operationId: 'askForPasswordReset',
  summary:
    'Sends a letter to set a new password, if the address has an account; the answer is the same for every address',
  input: { body: MailboxIn },
  response: ResetSent,
  status: 202,
  async answer({ body, commerce, merchant, principal, clientAddress }) {
    await askForReset({ commerce, realm: realmOf({ principal }), merchant, email: emailOf(body.email), clientAddress })
    return plain({ status: 'RESET_SENT' }, 202)
  },
})

export const confirmPasswordReset = route({
  ...signIn,
  path: '/v1/shoppers/password-reset/confirm',
  operationId: 'confirmPasswordReset',
  summary: 'Sets a new password with the token of a letter, and ends every other sign-in',
  input: { body: ConfirmIn },
  response: Session,
  async answer({ body, ...question }) {
    const { commerce, clientAddress } = question
    return sessionAnswer(good(await resetPassword(commerce, realmOf(question), body, clientAddress)), question)
  },
})

export const verifyShopper = route({
  ...signIn,
  path: '/v1/shoppers/verify',
  operationId: 'verifyShopper',
  summary: 'Proves a mailbox with the token of a letter, and signs in: the account is made or linked now',
  input: { body: VerifyIn },
  response: Session,
  deadlineMs: LINKING_MS,
  async answer({ body, ...question }) {
    const verifying = verify(placeOf(question), body, question.clientAddress)
    return sessionAnswer(good(await fromLedger(verifying)), question)
  },
})

/** Unknown, used, expired and another merchant's are one. */
function good(session: OpenSession | null): OpenSession {
  if (session) return session
  throw new Invalid([{ type: 'token_invalid', loc: ['body', 'token'], msg: 'The token is not valid, or no longer' }])
}
