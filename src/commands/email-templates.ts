import type { MerchantConfig } from '../config/config.ts'
import type { Email } from './command-context.ts'

/** Nothing that a stranger typed stands in a letter but the address that it goes to: it could be an advertisement. */
const letter = ({ name, mail }: MerchantConfig, to: string, subject: string, lines: string[]): Email => ({
  ...{ from: mail?.from, to, subject: `${subject}: ${name}` },
  text: `${lines.join('\n\n')}\n\n${name}\n`,
})

/** For an address that has no account yet. */
export const createVerificationEmail = (merchant: MerchantConfig, to: string, token: string): Email =>
  letter(merchant, to, 'Confirm your address', [
    `Somebody, you we hope, asked for an account at ${merchant.name} with this address.`,
    `To confirm it, use this within 24 hours:\n${opening(merchant.mail?.verifyUrl, token)}`,
    'If it was not you, do not use it: no account is made then.',
  ])

/** For one that has: whoever asked is not told so, but the mailbox is. */
export const createExistingAccountEmail = (merchant: MerchantConfig, to: string, token: string): Email =>
  letter(merchant, to, 'You have an account', [
    `Somebody, you we hope, asked for an account at ${merchant.name} with this address. There is one already: sign in with it.`,
    `If you do not know its password, set another with this, within an hour:\n${opening(merchant.mail?.resetUrl, token)}`,
    'If it was not you, there is nothing to do.',
  ])

export const createPasswordResetEmail = (merchant: MerchantConfig, to: string, token: string): Email =>
  letter(merchant, to, 'Set a new password', [
    `Somebody, you we hope, asked to set a new password for your account at ${merchant.name}.`,
    `To set it, use this within an hour:\n${opening(merchant.mail?.resetUrl, token)}`,
    'If it was not you, there is nothing to do: your password stays as it is.',
  ])

/** For the merchant's own people: an endpoint of theirs keeps failing, or is not sent to any more. */
export const createFailingEndpointEmail = (merchant: MerchantConfig, to: string, of: FailingEndpoint): Email =>
  letter(merchant, to, of.status === 'DISABLED' ? 'A webhook endpoint was disabled' : 'A webhook endpoint is failing', [
    `${of.endpoint_url} (${of.subscription_id}, ${of.mode})`,
    of.status === 'DISABLED' ? endings[of.disabled_reason ?? 'CONSECUTIVE_FAILURES'] : FAILING,
    `What it answered: GET /v1/webhooks/${of.subscription_id}/deliveries.`,
  ])

export interface FailingEndpoint {
  subscription_id: string
  mode: string
  endpoint_url: string
  status: 'ACTIVE' | 'FAILING' | 'DISABLED'
  disabled_reason: 'MANUAL' | 'CONSECUTIVE_FAILURES' | 'GONE' | null
}

const AGAIN = 'When it is well, enable it (POST …/enable) and have what it missed sent again (POST …/recover).'
const endings = {
  MANUAL: AGAIN,
  CONSECUTIVE_FAILURES: `It has taken nothing for five days, and is not sent to any more. ${AGAIN}`,
  GONE: `It answered 410 Gone, and is not sent to any more. ${AGAIN}`,
} as const
const FAILING =
  'Three events were tried for two days each, and it took none of them. It is sent to as before; after five days without a success it is disabled.'

/** A link to the merchant's own page, which hands the token on; without one, the bare token. */
function opening(page: string | undefined, token: string): string {
  if (page === undefined) return token
  const link = new URL(page)
  link.searchParams.set('token', token)
  return link.href
}
