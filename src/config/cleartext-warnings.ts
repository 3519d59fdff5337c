import type { ConfigMistake } from './config-error.ts'
import type { ConfigFile } from './config-schema.ts'
import { isLoopbackHost } from './listen-host.ts'
import { type SystemBlock, toAdapterSettings } from './merchant-schema.ts'
import { isSecretName } from './secret-names.ts'
import {
  hasAdapterName,
  listSystemEntries,
  type SystemEntry,
  type UncheckedConfigFile,
} from './unchecked-config-file.ts'

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
    ...listSystems(file).flatMap(({ path, block }) => secretMembers(path, toAdapterSettings(block))),
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

const listSystems = (file: ConfigFile): SystemEntry<SystemBlock>[] =>
  listSystemEntries(file as UncheckedConfigFile).filter(hasAdapterName)

const secretMembers = (path: string, settings: Readonly<Record<string, unknown>>): [string, unknown][] =>
  Object.entries(settings).flatMap(([name, value]) => (isSecretName(name) ? [[`${path}.${name}`, value]] : []))

const HTTPS_REMEDY = 'Use https, or a tunnel that ends at 127.0.0.1'

/** Finds connections to and from other machines that can be read in transit. */
export function findPlainHttpWarnings(file: ConfigFile): ConfigMistake[] {
  const { public_url: publicUrl, operations, tracing } = file
  const warnings: ConfigMistake[] = listSystems(file).flatMap(({ path, block }) => {
    const secrets = Object.keys(toAdapterSettings(block)).filter(isSecretName)
    if (!isPlainToOtherHost(block.address) || secrets.length === 0) return []
    const mistake = `sends ${secrets.join(' and ')} over plain http to another machine`
    return [{ path: `${path}.address`, mistake, remedy: HTTPS_REMEDY }]
  })
  if (isPlainToOtherHost(publicUrl)) {
    const mistake = 'is http: pictures and links of the API can be read and changed in transit'
    warnings.push({ path: 'public_url', mistake, remedy: 'Give the https:// URL of the proxy in front' })
  }
  if (isPlainToOtherHost(tracing?.endpoint) && tracing?.headers)
    warnings.push({
      path: 'tracing.endpoint',
      mistake: 'sends its headers over plain http to another machine',
      remedy: HTTPS_REMEDY,
    })
  if (operations?.enabled !== false && operations?.host && !isLoopbackHost(operations.host) && !isHttps(operations.url))
    warnings.push({
      path: 'operations.host',
      mistake: 'accepts connections from other machines without https: passwords of operators can be read in transit',
      remedy:
        'Leave it at 127.0.0.1 and use SSH, or put a TLS proxy in front and set operations.url to its https:// URL',
    })
  return warnings
}

const isHttps = (url: string | undefined) => url?.startsWith('https:') === true

function isPlainToOtherHost(url: string | undefined): boolean {
  const parsed = url === undefined ? null : URL.parse(url)
  return parsed?.protocol === 'http:' && !isLoopbackHost(parsed.hostname.replace(/^\[|\]$/g, ''))
}
