import type { ConfigMistake } from '../config-error.ts'
import { toAdapterSettings } from '../conversion/to-adapter-settings.ts'
import { isSecretName } from '../is-secret-name.ts'
import type { ConfigFile } from '../schema/config-file-schema.ts'
import { listAdapterSystems } from '../schema/system-entries.ts'
import { isLoopbackHost } from '../special-hosts.ts'

const HTTPS_REMEDY = 'Use https, or a tunnel that ends at 127.0.0.1'

/** Finds connections to and from other machines that can be read in transit. */
export function findPlainHttpWarnings(file: ConfigFile): ConfigMistake[] {
  const { public_url: publicUrl, operations, tracing } = file
  const warnings: ConfigMistake[] = listAdapterSystems(file).flatMap(({ path, block }) => {
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
