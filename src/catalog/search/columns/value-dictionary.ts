/** Numbers distinct values from 0, so that a column takes four bytes per product. */
export interface ValueNumbers<V> {
  /** `shared`: the number of a shared value of the file. */
  numberOf(shared: number): number
  readonly values: readonly V[]
}

export function createValueNumbers<V>(read: (shared: number) => V): ValueNumbers<V> {
  const numbers = new Map<number, number>()
  const values: V[] = []
  return {
    values,
    numberOf(shared) {
      const known = numbers.get(shared)
      if (known !== undefined) return known
      numbers.set(shared, values.length)
      return values.push(read(shared)) - 1
    },
  }
}
