/** Sections of some SKUs, and the row of each SKU in them. */
export interface SkuSections<S> {
  sections: S
  rowOf: ReadonlyMap<string, number>
}

/** Starts loading sections for SKUs. A later call for a subset of these SKUs returns the load that is in progress. */
export function shareSkuSectionLoads<S>(
  load: (skus: readonly string[]) => S,
): (skus: readonly string[]) => SkuSections<S> {
  let current: SkuSections<S> | undefined
  return (skus) => {
    const rowOf = current?.rowOf
    if (!current || skus.some((sku) => !rowOf!.has(sku)))
      current = { sections: load(skus), rowOf: new Map(skus.map((sku, index) => [sku, index])) }
    return current
  }
}
