import type { OpenShopperSession } from '../../commands/shoppers/open-shopper-session.ts'
import { InvalidInput } from '../../errors.ts'

/** Unknown, used and expired tokens, and those of another merchant, get the same error. */
export function requireSession(session: OpenShopperSession | null): OpenShopperSession {
  if (session) return session
  throw new InvalidInput([
    { type: 'token_invalid', loc: ['body', 'token'], msg: 'The token is invalid, expired or already used' },
  ])
}
