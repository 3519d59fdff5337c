/** A page of SKUs in the requested order. The parts of its items are in the cache. */
export interface SkuPage {
  skus: string[]
  /**
   * Milliseconds since the epoch: the newest change of a product on this page, when the page was read. Never later than that by our own clock,
   * which dates what a mirror notices afterwards: the inventory's may be ahead.
   */
  newest: number
  total: number | null
  has_more: boolean
}
