import { adapters } from '../../adapters.ts'
import type { MerchantConfig, Mode } from '../../config/config.ts'
import { createAsking } from '../../upstream/request-scope.ts'
import { createOffices } from '../../upstream/upstream-registry.ts'
import type { Configured } from '../command-config.ts'
import { demoConfig } from '../demo/demo-command.ts'
import { DEFAULT_SANDBOX_PORT, embeddedSystems, sandboxToken } from '../embedded-sandbox.ts'
import { printError } from '../print.ts'

const SKUS_AT_ONCE = 1_000
const PATIENCE = { totalMs: 600_000, reserveMs: 0 }
const CACHE_BYTES = 1_048_576

/** Those of the SKUs that the merchant's inventory does not know. `null`: it could not be asked, which is said. */
export async function unknownSkus(
  skus: Iterable<string>,
  of: { merchant: string; mode: Mode; sandboxPort?: number },
  at: Configured,
): Promise<string[] | null> {
  const firstPort = of.sandboxPort ?? DEFAULT_SANDBOX_PORT
  const token = sandboxToken(at.dataDirectory)
  const merchant: MerchantConfig = at.of(of.merchant) ?? demoConfig(firstPort, token).merchants[0]!
  await using offices = createOffices({
    ...{ merchants: [merchant], adapters, embedded: embeddedSystems(firstPort, token), cacheBytes: CACHE_BYTES },
    pictureUrls: () => ({ thumb_url: '', large_url: '' }),
  })
  const { changes } = offices.of(of.merchant, of.mode)!.office
  const asking = createAsking({ requestId: 'fitment-import' }, PATIENCE)
  const all = [...skus]
  const unknown: string[] = []
  try {
    for (let from = 0; from < all.length; from += SKUS_AT_ONCE) {
      const some = all.slice(from, from + SKUS_AT_ONCE)
      const known = new Set((await changes.items(some, asking)).map(({ sku }) => sku))
      unknown.push(...some.filter((sku) => !known.has(sku)))
    }
    return unknown
  } catch (error) {
    printError(`The inventory could not be asked for the SKUs: ${(error as Error).message}`)
    return null
  } finally {
    asking.leave()
  }
}
