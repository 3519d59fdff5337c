/** Gives distinct values codes from 0, so that a column takes four bytes per product. */
export interface ValueDictionary<V> {
  /** `shared`: the id of a shared value of the file. */
  codeOf(shared: number): number
  /** By code. */
  readonly values: readonly V[]
  /** Returns the codes of the values that a filter by this name accepts. */
  withName(name: string): readonly number[]
}

const NONE: readonly number[] = []

/** `namesOf`: the names by which filters find a value, each once. */
export function createValueDictionary<V>(
  read: (shared: number) => V,
  namesOf: (value: V) => readonly string[],
): ValueDictionary<V> {
  const codes = new Map<number, number>()
  const named = new Map<string, number[]>()
  const values: V[] = []
  return {
    values,
    codeOf(shared) {
      const known = codes.get(shared)
      if (known !== undefined) return known
      const code = values.length
      const value = read(shared)
      values.push(value)
      codes.set(shared, code)
      for (const name of namesOf(value)) {
        const same = named.get(name)
        if (same) same.push(code)
        else named.set(name, [code])
      }
      return code
    },
    withName: (name) => named.get(name) ?? NONE,
  }
}
