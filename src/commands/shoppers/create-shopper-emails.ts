import type { MerchantConfig } from '../../config/merchant-config.ts'
import { composeEmail, type Email } from '../../operations/email.ts'
import type { EmailTokenPurpose } from '../../storage/shoppers/email-tokens.ts'
import { emailTokenPaths } from './handle-unknown-email-token.ts'

/** The email for an address that has no account yet. */
export const createVerificationEmail = (merchant: MerchantConfig, to: string, token: string): Email =>
  composeEmail(merchant, {
    to,
    subject: `Confirm your email address for ${merchant.name}`,
    paragraphs: [
      `We received a request to create an account at ${merchant.name} with this email address.`,
      `Confirming your email address creates the account. To confirm it and set a password, ${instruction(merchant, 'verify', token)}`,
      'If you did not make this request, ignore this email. No account will be created.',
    ],
  })

/** The email for an account that was confirmed without a password. */
export const createSetPasswordEmail = (merchant: MerchantConfig, to: string, token: string): Email =>
  composeEmail(merchant, {
    to,
    subject: `Set a password for ${merchant.name}`,
    paragraphs: [
      `You confirmed your email address for ${merchant.name}. Your account has no password yet.`,
      `To set one, ${instruction(merchant, 'reset', token)}`,
      'After that time, you can ask for another email to set your password.',
    ],
  })

/** The email for an address that already has an account. The requester gets the same response as for a new address. */
export const createExistingAccountEmail = (merchant: MerchantConfig, to: string, token: string): Email =>
  composeEmail(merchant, {
    to,
    subject: `You already have an account at ${merchant.name}`,
    paragraphs: [
      `We received a request to create an account at ${merchant.name} with this email address. You already have an account: sign in with this email address and your password.`,
      `If you forgot your password, ${instruction(merchant, 'reset', token)}`,
      'If you did not make this request, ignore this email. Your account has not changed.',
    ],
  })

export const createPasswordResetEmail = (merchant: MerchantConfig, to: string, token: string): Email =>
  composeEmail(merchant, {
    to,
    subject: `Reset your password for ${merchant.name}`,
    paragraphs: [
      `We received a request to reset the password of your account at ${merchant.name}.`,
      `To set a new password, ${instruction(merchant, 'reset', token)}`,
      'If you did not make this request, ignore this email. Your password will not change.',
    ],
  })

/** Points to the merchant's own page, which receives the token in its query; without such a page, gives the token itself and where it goes. */
function instruction({ mail }: MerchantConfig, purpose: EmailTokenPurpose, token: string): string {
  const page = purpose === 'verify' ? mail?.verifyUrl : mail?.resetUrl
  const validFor = purpose === 'verify' ? '24 hours' : '1 hour'
  if (page === undefined)
    return `enter this code in the shop within ${validFor}:\n${token}\n\nFor developers: the storefront sends the code to POST ${emailTokenPaths[purpose]}.`
  const link = new URL(page)
  link.searchParams.set('token', token)
  return `open this link within ${validFor}:\n${link.href}`
}
