import type { SkuListener } from '../ports/inventory.ts'

/** Who would know which SKUs will be on a page while they are still being read, by the question that the page answers. */
export interface SkuPrefetch {
  /** Listens for as long as the page is waited for. */
  during<T>(question: string, coming: SkuListener | undefined, page: () => Promise<T>): Promise<T>
  tell(question: string, skus: readonly string[]): void
}

export function createSkuPrefetch(): SkuPrefetch {
  const listening = new Map<string, Set<SkuListener>>()
  return {
    async during(question, coming, page) {
      if (coming === undefined) return page()
      const all = listening.get(question) ?? new Set()
      listening.set(question, all.add(coming))
      try {
        return await page()
      } finally {
        all.delete(coming)
        if (all.size === 0 && listening.get(question) === all) listening.delete(question)
      }
    },
    tell(question, skus) {
      for (const coming of listening.get(question) ?? []) coming(skus)
    },
  }
}
