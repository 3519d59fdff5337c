import { adapters } from '../../adapters.ts'
import type { MerchantConfig, Mode } from '../../config/config.ts'
import { createRequestScope } from '../../upstream/request-scope.ts'
import { createUpstreamRegistry } from '../../upstream/upstream-registry.ts'
import type { CommandConfig } from '../command-config.ts'
import { createDemoConfig } from '../demo/demo-command.ts'
import { createEmbeddedSystemsConfig, DEFAULT_SANDBOX_PORT, ensureSandboxToken } from '../embedded-sandbox.ts'
import { printError } from '../print.ts'

const SKUS_AT_ONCE = 1_000
const PATIENCE = { totalMs: 600_000, reserveMs: 0 }
const CACHE_BYTES = 1_048_576

/** Those of the SKUs that the merchant's inventory does not know. `null`: it could not be asked, which is said. */
export async function findUnknownSkus(
  skus: Iterable<string>,
  of: { merchant: string; mode: Mode; sandboxPort?: number },
  at: CommandConfig,
): Promise<string[] | null> {
  const firstPort = of.sandboxPort ?? DEFAULT_SANDBOX_PORT
  const token = ensureSandboxToken(at.dataDirectory)
  const merchant: MerchantConfig = at.of(of.merchant) ?? createDemoConfig(firstPort, token).merchants[0]!
  await using upstreams = createUpstreamRegistry({
    ...{
      merchants: [merchant],
      adapters,
      embeddedSystemsFor: createEmbeddedSystemsConfig(firstPort, token),
      cacheBytes: CACHE_BYTES,
    },
    pictureUrls: () => ({ thumb_url: '', large_url: '' }),
  })
  const { changes } = upstreams.forTenant(of.merchant, of.mode)!.backOffice
  const requestScope = createRequestScope({ requestId: 'fitment-import' }, PATIENCE)
  const all = [...skus]
  const unknown: string[] = []
  try {
    for (let from = 0; from < all.length; from += SKUS_AT_ONCE) {
      const some = all.slice(from, from + SKUS_AT_ONCE)
      const known = new Set((await changes.items(some, requestScope)).map(({ sku }) => sku))
      unknown.push(...some.filter((sku) => !known.has(sku)))
    }
    return unknown
  } catch (error) {
    printError(`The inventory could not be asked for the SKUs: ${(error as Error).message}`)
    return null
  } finally {
    requestScope.leave()
  }
}
