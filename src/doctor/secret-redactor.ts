import { isSecretName } from '../config/is-secret-name.ts'
import type { SystemsConfig } from '../config/system-config.ts'

/** Long enough for a key or a session id; package names contain hyphens. */
const LONG_WORD = /[A-Za-z0-9+=#]{32,}/g
/** A shorter secret occurs in ordinary words: redacting it would reveal its position instead. */
const MIN_SECRET_LENGTH = 4
const CREDENTIALS = /\b(Bearer|Basic|Session)\s+[^\s"',]+/gi

/** Removes the configuration's secrets from a text, and whatever looks like a credential: a system may echo what it was sent. */
export function createSecretRedactor(systems: SystemsConfig): (text: string) => string {
  const secrets = Object.values(systems).flatMap((system) =>
    typeof system === 'string'
      ? []
      : Object.entries(system.settings).flatMap(([name, value]) => (isSecretName(name) ? [String(value)] : [])),
  )
  const variants = [...new Set(secrets.filter(({ length }) => length >= MIN_SECRET_LENGTH).flatMap(variantsOf))].sort(
    (a, b) => b.length - a.length,
  )
  return (text) => {
    const redacted = variants.reduce((rest, secret) => rest.replaceAll(secret, '…'), text)
    return redacted.replace(CREDENTIALS, '$1 …').replace(LONG_WORD, '…')
  }
}

const variantsOf = (secret: string) => [
  secret,
  encodeURIComponent(secret),
  JSON.stringify(secret).slice(1, -1),
  // Excerpts in error messages have their digits replaced.
  secret.replace(/\d+/g, '#'),
]
