import type { MerchantConfig } from '../config/merchant-config.ts'

export interface Email {
  from: string | undefined
  to: string
  subject: string
  text: string
}

export interface Mailer {
  /** Queues an email and returns at once. Never throws: a failed email is logged, and its reader has to ask for another. */
  send(email: Email): void
}

/**
 * A plain-text email from a merchant, signed with its name. Apart from the recipient's address, an email holds nothing that the requester
 * typed: a stranger could put an advertisement into it.
 */
export const composeEmail = (
  { name, mail }: MerchantConfig,
  { to, subject, paragraphs }: { to: string; subject: string; paragraphs: readonly string[] },
): Email => ({ from: mail?.from, to, subject, text: `${paragraphs.join('\n\n')}\n\n${name}\n` })
