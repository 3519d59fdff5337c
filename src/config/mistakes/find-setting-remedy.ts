import { forecourtCommand } from '../../installed-command-line.ts'
import { findBySettingPath } from './find-by-setting-path.ts'

const PAGE = 'Give the https:// URL of the page that receives the token from an email'
const HOST =
  'Give a host, or a host and a port, such as localhost or 10.1.2.3:9000; patterns and ranges are not supported'

/** Remedies, by the names that `findBySettingPath` looks up. */
const remedies: Readonly<Record<string, string>> = {
  currency: 'Give an ISO 4217 code such as JMD',
  time_zone: 'Give an IANA name such as America/Jamaica',
  address: 'Give http:// or https:// with a host, without ? and #; put credentials in the adapter’s settings',
  store: 'Give sqlite: and a path, or postgres://user:password@host:5432/database',
  'mail.url': 'Give smtp:// or smtps:// with a host, or log: to write emails to the log',
  'operations.url': 'Give the http:// or https:// URL at which browsers of operators reach the pages, without a path',
  'tracing.endpoint': 'Give the http:// or https:// URL of an OTLP collector',
  from: 'Give one address, as in Parts Shop <orders@shop.example>',
  'webhook.secret': 'Give whsec_ and 24 to 64 random bytes in base64',
  'quiet_hours.from': 'Give a time of day such as 22:00, in quotes',
  'quiet_hours.to': 'Give a time of day such as 07:00, in quotes',
  alerts: 'Give one address, as in Acme <it@shop.example>',
  verify_url: PAGE,
  reset_url: PAGE,
  'webhooks.key': `Give 32 random bytes in base64, as ${forecourtCommand} webhooks key prints them`,
  'webhooks.previous_keys': 'Give keys in the format of webhooks.key',
  allow: HOST,
  'webhooks.ports': 'Give ports from 1 to 65535',
  public_url: 'Give the http:// or https:// URL at which browsers of shoppers reach the API, without ? and #',
  tls: 'Give cert and key, the paths of two PEM files',
  'tls.cert': 'Give the path of a PEM file with the certificate and its chain',
  'tls.key': 'Give the path of a PEM file with the private key of that certificate, without a passphrase',
  trusted_proxies: 'Give addresses, networks such as 10.0.0.0/8, or loopback for a proxy on this machine',
  max_age_seconds: 'Give a whole number of seconds from 0 to 300',
  'mirror.max_age_seconds': 'Give a whole number of seconds from 1 to 86400',
  'mirror.boosts': 'Give a list such as [{ brand: Bosch, boost: 2 }], with at most 50 entries',
  'mirror.synonyms':
    'Give a list such as [[headlight, headlamp], [rotor, brake disc]], with at most 200 groups of 2 to 8',
  boost: 'Give a whole number from -10 to 10',
  archive_after_days: 'Give a whole number of days from 8 to 36500',
  token: 'Give the token that the system expects',
  'contact.phone': 'Give a phone number in quotes, as in "+1 876 555-0100"',
  'contact.url': 'Give the http:// or https:// URL of a page, without a user name',
  hook_secret: 'Give a secret of 16 to 256 characters',
  merchants: 'Give at least one merchant',
}

export const findSettingRemedy = (path: string): string | undefined => findBySettingPath(remedies, path)
