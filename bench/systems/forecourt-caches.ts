import { createFairCache } from '../../src/cache/fair-cache.ts'
import { freshnessPolicies, toCacheTimes } from '../../src/cache/freshness-policy.ts'
import { identityRepresentation } from '../../src/cache/representation.ts'
import { createResponseCache } from '../../src/cache/response-cache.ts'
import { limitMemory } from '../../src/operations/heap-limit.ts'
import type { CachedValue } from '../../src/upstream/read-stack/value-cache.ts'
import { runAsChild } from './run-as-child.ts'
import { itemRow, priceRow, taxRow } from './upstream-rows.ts'

export interface CachesInput {
  capMib: number
}
export interface CacheUsage {
  responseMib: number
  sectionMib: number
  entries: number
}

const MIB = 1_048_576
const OWNER = 'bench/live'

/** The two caches alone, each with half of the limit as in Forecourt, filled with the entries of a cold product. */
runAsChild(async ({ capMib }: CachesInput) => {
  const { cacheBytes } = limitMemory(capMib * MIB)
  const responses = createResponseCache(cacheBytes / 2)
  const sections = createFairCache<CachedValue>(cacheBytes / 2)

  function storeProduct(sku: string): void {
    const asOf = Date.now()
    const row = itemRow(sku, ['product'])
    const parts = { item: row, price: priceRow(sku), tax: taxRow(sku) }
    for (const [name, json] of Object.entries(parts)) {
      sections.set(OWNER, `${name}\n\n${sku}`, { value: JSON.parse(json), asOf, version: 0 }, json.length * 2)
    }
    const key = `\ngetProduct\n{"sku":"${sku}"}{}`
    responses.store(OWNER, key, {
      route: 'getProduct',
      ...toCacheTimes(freshnessPolicies.catalog, asOf, Number.POSITIVE_INFINITY),
      cacheControl: 'private, max-age=0',
      complete: true,
      tags: [sku],
      version: 0,
      plain: identityRepresentation(row),
      compressed: {},
      refresh: async () => storeProduct(sku),
      isRefreshing: false,
    })
    responses.indexUrl(OWNER, `/v1/products/${sku}`, key)
  }

  return {
    ready: {},
    /** Stores the products of a range, yielding to the event loop as requests would. */
    async answer({ from, to }: { from: number; to: number }): Promise<CacheUsage> {
      for (let number = from; number < to; number++) {
        storeProduct(`SWEEP-${number}`)
        if (number % 200 === 0) await new Promise(setImmediate)
      }
      return { responseMib: responses.bytes / MIB, sectionMib: sections.bytes / MIB, entries: sections.entries }
    },
  }
})
