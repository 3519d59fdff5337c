import { findBySettingPath } from './find-by-setting-path.ts'

/** Descriptions of a text that does not match its pattern, by the same names: few people can read a pattern. */
const patternMistakes: Readonly<Record<string, string>> = {
  currency: 'is not a currency',
  store: 'is not a store URL',
  from: 'is not an email address',
  alerts: 'is not an email address',
  'quiet_hours.from': 'is not a time of day',
  'quiet_hours.to': 'is not a time of day',
  'webhook.secret': 'is not a Standard Webhooks secret',
  'webhooks.key': 'is not a key',
  'webhooks.previous_keys': 'is not a key',
  'contact.phone': 'is not a phone number',
  allow: 'is not a host',
  token: 'is empty or contains characters that an HTTP header cannot carry',
  ...Object.fromEntries(
    ['address', 'url', 'endpoint', 'verify_url', 'reset_url', 'public_url'].map((name) => [
      name,
      'is not a usable URL',
    ]),
  ),
}

export const findPatternMistake = (path: string): string | undefined => findBySettingPath(patternMistakes, path)
