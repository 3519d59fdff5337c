import type { ConfigMistake } from '../config-error.ts'
import { toAdapterSettings } from '../conversion/to-adapter-settings.ts'
import { isSecretName } from '../is-secret-name.ts'
import type { ConfigFile } from '../schema/config-file-schema.ts'
import { listAdapterSystems } from '../schema/system-entries.ts'

/** Finds secrets that are in the file itself. `variablePaths`: what comes from the environment, at least in part. */
export function findClearSecretWarnings(file: ConfigFile, variablePaths: ReadonlySet<string>): ConfigMistake[] {
  const secrets: [path: string, value: unknown][] = [
    ['webhooks.key', file.webhooks?.key],
    ...(file.webhooks?.previous_keys ?? []).map((key, index): [string, unknown] => [
      `webhooks.previous_keys.${index}`,
      key,
    ]),
    ...secretMembers('tracing.headers', file.tracing?.headers ?? {}),
    ...Object.entries(file.merchants).map(([id, { hook_secret }]): [string, unknown] => [
      `merchants.${id}.hook_secret`,
      hook_secret,
    ]),
    ...listAdapterSystems(file).flatMap(({ path, block }) => secretMembers(path, toAdapterSettings(block))),
  ]
  const urls = [
    { path: 'mail.url', url: file.mail?.url },
    { path: 'store', url: file.store },
    // A token may stand in the place of the user.
    { path: 'tracing.endpoint', url: file.tracing?.endpoint, hasToken: true },
  ].filter(({ url, hasToken }) => url !== undefined && containsSecret(url, hasToken))
  const remedy = `Put it in the environment, and give "\${NAME}" here`
  return [
    ...secrets
      .filter(([, value]) => value !== undefined)
      .map(([path]) => ({ path, mistake: 'is a secret in plain text', remedy })),
    ...urls.map(({ path }) => ({ path, mistake: 'contains a password in plain text', remedy })),
  ].filter(({ path }) => !variablePaths.has(path))
}

/** Parameters of a store such as sslkey name files; those of an endpoint are tokens. */
function containsSecret(text: string, hasToken = false): boolean {
  const url = URL.parse(text)
  if (!url) return false
  const names = url.searchParams.keys().filter((name) => (hasToken ? isSecretName(name) : /pass/i.test(name)))
  return url.password !== '' || (hasToken && url.username !== '') || !names.next().done
}

const secretMembers = (path: string, settings: Readonly<Record<string, unknown>>): [string, unknown][] =>
  Object.entries(settings).flatMap(([name, value]) => (isSecretName(name) ? [[`${path}.${name}`, value]] : []))
