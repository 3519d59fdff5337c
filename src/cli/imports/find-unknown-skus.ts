import { adapters } from '../../adapters.ts'
import type { Tenant } from '../../tenant.ts'
import { createRequestScope } from '../../upstream/request/request-scope.ts'
import { createUpstreamRegistry } from '../../upstream/upstream-registry.ts'
import type { CommandConfig } from '../command-config.ts'
import { createDemoConfig } from '../demo/demo-config.ts'
import { createEmbeddedSystemsConfig } from '../embedded-systems.ts'
import { printError } from '../print.ts'
import { DEFAULT_SANDBOX_PORT } from '../sandbox-ports.ts'
import { ensureSandboxToken } from '../sandbox-token.ts'

const SKUS_PER_CALL = 1_000
const TIME_BUDGET = { totalMs: 600_000, reserveMs: 0 }
const CACHE_BYTES = 1_048_576

/** Returns the SKUs that the merchant's inventory does not know. `null`: the inventory could not be called, which is printed. */
export async function findUnknownSkus(
  skus: Iterable<string>,
  tenant: Tenant,
  config: CommandConfig,
  firstPort = DEFAULT_SANDBOX_PORT,
): Promise<string[] | null> {
  const token = ensureSandboxToken(config.dataDirectory)
  await using upstreams = createUpstreamRegistry({
    merchants: [config.merchantConfig(tenant.merchant) ?? createDemoConfig(firstPort, token).merchants[0]!],
    adapters,
    embeddedSystemsFor: createEmbeddedSystemsConfig(firstPort, token),
    cacheBytes: CACHE_BYTES,
    pictureUrls: () => ({ thumb_url: '', large_url: '' }),
  })
  const { changes } = upstreams.forTenant(tenant)!.backOffice
  const requestScope = createRequestScope({ requestId: 'file-import' }, TIME_BUDGET)
  const unchecked = [...skus]
  const unknown: string[] = []
  try {
    for (let from = 0; from < unchecked.length; from += SKUS_PER_CALL) {
      const page = unchecked.slice(from, from + SKUS_PER_CALL)
      const known = new Set((await changes.items(page, requestScope)).map(({ sku }) => sku))
      unknown.push(...page.filter((sku) => !known.has(sku)))
    }
    return unknown
  } catch (error) {
    printError(`The SKUs were not checked: the inventory failed (${(error as Error).message})`)
    return null
  } finally {
    requestScope.leave()
  }
}
