import type { SkuListener } from '../../ports/inventory.ts'

/** Passes on the SKUs of a page, by its query, while the rest of the page is still being read. */
export interface PageSkuListeners {
  /** Listens while the page is being read. */
  during<T>(query: string, onSkus: SkuListener | undefined, page: () => Promise<T>): Promise<T>
  publish(query: string, skus: readonly string[]): void
}

export function createPageSkuListeners(): PageSkuListeners {
  const listeners = new Map<string, Set<SkuListener>>()
  return {
    async during(query, onSkus, page) {
      if (onSkus === undefined) return page()
      const ofQuery = listeners.get(query) ?? new Set()
      listeners.set(query, ofQuery.add(onSkus))
      try {
        return await page()
      } finally {
        ofQuery.delete(onSkus)
        if (ofQuery.size === 0 && listeners.get(query) === ofQuery) listeners.delete(query)
      }
    },
    publish(query, skus) {
      for (const onSkus of listeners.get(query) ?? []) onSkus(skus)
    },
  }
}
