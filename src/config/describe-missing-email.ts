import type { Config } from './config.ts'
import type { MerchantConfig } from './merchant-config.ts'

/** Describes which shoppers of live mode cannot register because no email is sent, and why; `null`: all can. */
export function describeMissingEmail(
  { live, registration }: Pick<MerchantConfig, 'live' | 'registration'>,
  { mail }: Pick<Config, 'mail'>,
): string | null {
  if (!live.accounting || (mail && mail.url !== 'log:')) return null
  const reason = mail ? 'emails are only written to the log' : 'no mail server is configured'
  return registration === 'immediate'
    ? `${reason}: a customer who already exists in accounting cannot register, because only an email proves who they are`
    : `${reason}: nobody can register, because new shoppers must verify their email address`
}
