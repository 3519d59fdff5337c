import type { Config } from '../config.ts'
import type { ConfigMistake } from '../config-error.ts'
import type { MerchantConfig } from '../merchant-config.ts'

/** Finds a merchant whose shoppers wait for an email that is never sent. */
export function findUnsentEmailWarnings(
  { merchant, live, registration }: MerchantConfig,
  { mail }: Config,
): ConfigMistake[] {
  const isVerified = registration ? registration === 'verified' : Object.keys(live).length > 0
  if (!isVerified || (mail && mail.url !== 'log:')) return []
  const reason = mail ? 'emails are only written to the log' : 'no mail server is configured'
  return [
    {
      path: `merchants.${merchant}${registration ? '.registration' : ''}`,
      mistake: `new shoppers must verify their email address, but ${reason}`,
      remedy: 'Set mail.url to a mail server, or registration: immediate',
    },
  ]
}
