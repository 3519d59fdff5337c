const SIGNING_SECRET = /whsec_[\w+/=-]+/g

/** Removes the signing secrets of webhooks from a text that is not percent-encoded. */
export const redactSigningSecrets = (text: string): string =>
  text.includes('whsec_') ? text.replace(SIGNING_SECRET, '[redacted]') : text
