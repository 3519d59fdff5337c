import { createFairCache } from '../../src/cache/fair-cache.ts'
import { identityRepresentation } from '../../src/cache/representation.ts'
import { createResponseCache, freshnessPolicies } from '../../src/cache/response-cache.ts'
import { limitMemory } from '../../src/operations/memory-limit.ts'
import type { CachedValue } from '../../src/upstream/value-cache.ts'
import { runAsChild } from './child-process.ts'
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

/** The caches alone, at the half of the cap that each has in Forecourt, fed with what a cold product leaves in them. */
runAsChild(async ({ capMib }: CachesInput) => {
  const { cacheBytes: heldBytes } = limitMemory(capMib * MIB)
  const responses = createResponseCache(heldBytes / 2)
  const sections = createFairCache<CachedValue>(heldBytes / 2)

  function feed(sku: string): void {
    const asOf = Date.now()
    const row = itemRow(sku, ['product'])
    const parts = { item: row, price: priceRow(sku), tax: taxRow(sku) }
    for (const [name, json] of Object.entries(parts)) {
      sections.set(OWNER, `${name}\n\n${sku}`, { value: JSON.parse(json), asOf, version: 0 }, json.length * 2)
    }
    const key = `\ngetProduct\n{"sku":"${sku}"}{}`
    responses.store(OWNER, key, {
      route: 'getProduct',
      policy: freshnessPolicies.catalog,
      complete: true,
      storedAt: asOf,
      tags: [sku],
      version: 0,
      plain: identityRepresentation(row),
      compressed: {},
      refresh: async () => feed(sku),
      isRefreshing: false,
    })
    responses.indexUrl(OWNER, `/v1/products/${sku}`, key)
  }

  return {
    ready: {},
    /** Feeds the keys of a range, giving way to the event loop now and then, as requests would. */
    async answer({ from, to }: { from: number; to: number }): Promise<CacheUsage> {
      for (let at = from; at < to; at++) {
        feed(`SWEEP-${at}`)
        if (at % 200 === 0) await new Promise(setImmediate)
      }
      return { responseMib: responses.bytes / MIB, sectionMib: sections.bytes / MIB, entries: sections.entries }
    },
  }
})
