import type { AccountingPort, Tax } from '../../ports/accounting.ts'
import { type GuardedPort, throughGuard } from '../guard/guarded-port.ts'
import type { LoadResult } from '../read-stack/cached-loader.ts'
import { createReadStack } from '../read-stack/read-stack.ts'
import { BATCH_WINDOW_MS, type BatchCall } from '../read-stack/request-batcher.ts'
import { sectionFreshnessLimits } from '../read-stack/section-freshness-limits.ts'
import { EVERYBODY } from '../read-stack/value-cache.ts'
import type { RequestScope } from '../request/request-scope.ts'
import type { CachePeek } from './cache-peek.ts'
import { mapBySku } from './map-by-sku.ts'
import type { ReaderParts } from './reader-parts.ts'

export interface TaxReaderParts extends ReaderParts {
  accounting: GuardedPort<AccountingPort> | undefined
}

/** Taxes by SKU, for one customer or for everybody (`null`). No two customers share a call or a cached value. */
export interface TaxReader {
  taxes(skus: readonly string[], customerId: string | null, scope: RequestScope): Promise<LoadResult<Tax>[]>
}

const idOf = (sku: string) => sku

export function createTaxReader({
  accounting,
  invalidations,
  tenantKey,
  cache,
  now,
}: TaxReaderParts): TaxReader & Pick<CachePeek, 'tax'> & { detachInFlight(): void } {
  const taxes = createReadStack<string, Tax>({
    tenantKey,
    cache,
    now,
    system: 'accounting',
    name: 'tax',
    idOf,
    windowMs: BATCH_WINDOW_MS,
    maxKeys: accounting?.port.maxSkus ?? 1,
    freshnessOf: () => sectionFreshnessLimits.tax,
    invalidation: { invalidations, tagOf: idOf },
    call: createTaxCall(accounting),
  })

  return {
    taxes: (skus, customerId, scope) => taxes.load(customerId ?? EVERYBODY, skus, scope),
    tax: (sku) => taxes.peek(EVERYBODY, sku),
    detachInFlight: taxes.detachInFlight,
  }
}

/** Reads taxes in one call. */
const createTaxCall =
  (accounting: GuardedPort<AccountingPort> | undefined): BatchCall<string, Tax> =>
  (customerId, skus, caller) =>
    throughGuard(accounting, 'taxes', 'catalog', caller, async (port, call) =>
      mapBySku(await port.taxes(skus, customerId || null, call)),
    )
