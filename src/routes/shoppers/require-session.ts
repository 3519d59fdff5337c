import type { OpenShopperSession } from '../../commands/shoppers/open-shopper-session.ts'
import { InvalidInput } from '../../errors.ts'

const MESSAGE =
  'The token is invalid, expired or already used. Request a new email: POST /v1/shoppers or POST /v1/shoppers/password-reset'

/** Unknown, used and expired tokens, and those of another merchant, get the same error. */
export function requireSession(session: OpenShopperSession | null): OpenShopperSession {
  if (session) return session
  throw new InvalidInput([{ type: 'token_invalid', loc: ['body', 'token'], msg: MESSAGE }])
}
