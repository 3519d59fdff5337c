import { InvalidInput } from '../../errors.ts'
import { type EmailTokenPurpose, findEmailToken } from '../../storage/shoppers/email-tokens.ts'
import type { Tenant } from '../../tenant.ts'
import type { CommandDependencies } from '../command-context.ts'

/** The operation that accepts a token of each email. */
export const emailTokenPaths = {
  verify: '/v1/shoppers/verify',
  reset: '/v1/shoppers/password-reset/confirm',
} as const satisfies Record<EmailTokenPurpose, string>

/**
 * Throws when the token is for the other operation. Only the recipient of the email can cause this, so it reveals nothing. Otherwise counts a wrong
 * token and returns `null`.
 */
export async function handleUnknownEmailToken(
  { db, throttle, now }: Pick<CommandDependencies, 'db' | 'throttle' | 'now'>,
  tenant: Tenant,
  { token, other }: { token: string; other: EmailTokenPurpose },
  clientAddress: string | null,
): Promise<null> {
  if (await findEmailToken(db, tenant, other, token, new Date(now()))) {
    const msg = `The token is from another email: send it to POST ${emailTokenPaths[other]}`
    throw new InvalidInput([{ type: `token_for_${other}`, loc: ['body', 'token'], msg }])
  }
  await throttle.take('wrongTokensByAddress', tenant, clientAddress)
  return null
}
