import type { CommandDependencies } from '../../commands/command-context.ts'
import { Problem } from '../../errors.ts'
import { findShopperSession } from '../../storage/shoppers/shopper-sessions.ts'
import type { Context, Middleware } from '../context.ts'
import { describeInvalidShopperToken } from './invalid-credential-detail.ts'

/** Checks the shopper token of every request that has one. The token selects a customer only together with a secret key. */
export function authenticateShopper(
  { db, now }: Pick<CommandDependencies, 'db' | 'now'>,
  isRequired: boolean,
): Middleware {
  async function identify(ctx: Context, token: string | string[]): Promise<void> {
    const { record } = ctx.state.key!
    const session =
      typeof token === 'string' && token.length <= 256 ? await findShopperSession(db, token, new Date(now())) : null
    if (!session) throw new Problem('invalid_shopper_token', describeInvalidShopperToken(String(token)))
    if (session.merchant !== record.tenant_id) throw new Problem('shopper_merchant_mismatch')
    if (session.mode !== record.mode) throw new Problem('invalid_shopper_token', toOtherModeDetail(session.mode))
    if (record.kind === 'secret') ctx.state.customerId = session.customer_id
  }

  return (ctx, next) => {
    const token = ctx.req.headers['x-storefront-shopper-token']
    if (token !== undefined) return identify(ctx, token).then(next)
    if (isRequired) throw new Problem('missing_shopper_token')
    return next()
  }
}

const toOtherModeDetail = (mode: string) =>
  `The shopper token belongs to ${mode} mode, but the API key does not. Sign in, or call POST /v1/shoppers/refresh, with a key of the same mode.`
