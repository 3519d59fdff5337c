/** The lower bounds of price ranges: 0, then 1, 2, 5, 10, 20, 50 … */
export const PRICE_BUCKETS: readonly number[] = [
  0,
  ...Array.from({ length: 10 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat(),
]

/** The step of a product without a list price. */
export const NO_PRICE = PRICE_BUCKETS.length

/** Returns the index of the price range. */
export function toPriceBucket(price: number | null): number {
  if (price === null || !(price >= 0)) return NO_PRICE
  let index = PRICE_BUCKETS.length - 1
  while (PRICE_BUCKETS[index]! > price) index -= 1
  return index
}
