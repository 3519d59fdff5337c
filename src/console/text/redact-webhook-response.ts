import { redactApiKeys } from '../../security/redact-api-keys.ts'
import { toLogExcerpt } from '../../upstream/client/log-excerpt.ts'

/** A mailbox, a word as long as a secret, or one of letters and digits. */
const PERSONAL = /[^\s"'<>]+@[^\s"'<>]+|[\w+/=-]{16,}|\b(?=\w*\d)(?=\w*[A-Za-z])\w+/g
/** What follows the name of a secret. */
const NAMED_SECRET = /\b(token|secret|password|passwd|pwd|key|bearer|authorization)(\W{1,4})[^\s"',;<>]+/gi

/** Returns the beginning of an endpoint's response without its markup, and without numbers, mailboxes and what may be a secret. */
export const redactWebhookResponse = (excerpt: string): string =>
  toLogExcerpt(
    redactApiKeys(excerpt.replace(/<[^>]*>/g, ' '))
      .replace(NAMED_SECRET, '$1$2[…]')
      .replace(PERSONAL, '[…]')
      .replace(/\s+/g, ' ')
      .trim(),
  )
