/** Numbers distinct values from 0, so that a column takes four bytes per product. */
export interface ValueNumbers<V> {
  numberOf(value: V): number
  readonly values: readonly V[]
}

export function createValueNumbers<V extends string | null>(): ValueNumbers<V> {
  const numbers = new Map<V, number>()
  const values: V[] = []
  return {
    values,
    numberOf(value) {
      const known = numbers.get(value)
      if (known !== undefined) return known
      numbers.set(value, values.length)
      return values.push(value) - 1
    },
  }
}
