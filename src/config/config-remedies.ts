import { forecourtCommand } from '../forecourt-command.ts'
/** Remedies, by the last name of a setting's path. */
export const configRemedies: Readonly<Record<string, string>> = {
  currency: 'Give an ISO 4217 code such as JMD',
  time_zone: 'Give an IANA name such as America/Jamaica',
  address: 'Give http:// or https:// with a host, without ? and #; put credentials in the adapter’s settings',
  store: 'Give sqlite: and a path, or postgres://user:password@host:5432/database',
  url: 'Give smtp:// or smtps:// with a host, or log: to write emails to the log',
  from: 'Give one address, as in Parts Shop <orders@shop.example>',
  verify_url: 'Give the https:// page that receives the token from an email',
  reset_url: 'Give the https:// page that receives the token from an email',
  key: `Give 32 random bytes in base64, as ${forecourtCommand} webhooks key prints them`,
  previous_keys: 'Give keys in the format of webhooks.key',
  allow: 'Give a host, or a host and a port, such as localhost or 10.1.2.3:9000; patterns and ranges are not supported',
  ports: 'Give ports from 1 to 65535',
  public_url: 'Give http:// or https:// with a host, as shoppers’ browsers reach the API, without ? and #',
  max_mib: 'Give a whole number of MiB',
  token: 'Give the token that the system expects',
  hook_secret: 'Give a secret of 16 to 256 characters',
  merchants: 'Give at least one merchant. A merchant id has 1 to 63 characters: a-z, 0-9, - and _',
}
