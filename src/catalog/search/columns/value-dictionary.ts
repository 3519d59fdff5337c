/** Gives distinct values codes from 0, so that a column takes four bytes per product. */
export interface ValueDictionary<V> {
  /** `shared`: the id of a shared value of the file. */
  codeOf(shared: number): number
  /** By code. */
  readonly values: readonly V[]
}

export function createValueDictionary<V>(read: (shared: number) => V): ValueDictionary<V> {
  const codes = new Map<number, number>()
  const values: V[] = []
  return {
    values,
    codeOf(shared) {
      const known = codes.get(shared)
      if (known !== undefined) return known
      codes.set(shared, values.length)
      return values.push(read(shared)) - 1
    },
  }
}
