/** What was asked for about SKUs, and which of its rows is whose. */
export interface SkuSections<S> {
  sections: S
  at: ReadonlyMap<string, number>
}

/** Asks about SKUs as soon as they are known; who asks again about some of the same is given what is under way. */
export function memoizeSkuSections<S>(
  ask: (skus: readonly string[]) => S,
): (skus: readonly string[]) => SkuSections<S> {
  let begun: SkuSections<S> | undefined
  return (skus) => {
    const has = begun?.at
    if (!begun || skus.some((sku) => !has!.has(sku)))
      begun = { sections: ask(skus), at: new Map(skus.map((sku, index) => [sku, index])) }
    return begun
  }
}
