import type { SystemsConfig } from '../config/config.ts'

const NAMES = /pass|token|secret|key/i
/** As long as a session's name or a key is; names of packages have hyphens. */
const LONG = /[A-Za-z0-9+=#]{32,}/g
/** What is shorter stands in half of all words: taking it out would hide nothing, and show where it was. */
const SHORTEST = 4
const CREDENTIALS = /\b(Bearer|Basic|Session)\s+[^\s"',]+/gi

/** Takes out of a text what is secret in a configuration, and whatever looks like a credential: a system may repeat what it was sent. */
export function createSecretRedactor(systems: SystemsConfig): (text: string) => string {
  const secrets = Object.values(systems).flatMap((system) =>
    typeof system === 'string'
      ? []
      : Object.entries(system.settings).flatMap(([name, value]) => (NAMES.test(name) ? [String(value)] : [])),
  )
  const written = [...new Set(secrets.filter((secret) => secret.length >= SHORTEST).flatMap(spellings))].sort(
    (a, b) => b.length - a.length,
  )
  return (text) => {
    const without = written.reduce((rest, secret) => rest.replaceAll(secret, '…'), text)
    return without.replace(CREDENTIALS, '$1 …').replace(LONG, '…')
  }
}

/** Excerpts have no digits. */
const spellings = (secret: string) => [
  ...[secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)],
  secret.replace(/\d+/g, '#'),
]
