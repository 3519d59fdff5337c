/** Numbers distinct values from 0, so that a column takes four bytes per product. */
export interface ValueNumbers<V> {
  /** `shared`: the number of a shared value of the file. */
  numberOf(shared: number): number
  readonly values: readonly V[]
  /** Returns the numbers of the values that a filter by this name accepts. */
  withName(name: string): readonly number[]
}

const NONE: readonly number[] = []

/** `namesOf`: the names by which filters find a value, each once. */
export function createValueNumbers<V>(
  read: (shared: number) => V,
  namesOf: (value: V) => readonly string[],
): ValueNumbers<V> {
  const numbers = new Map<number, number>()
  const named = new Map<string, number[]>()
  const values: V[] = []
  return {
    values,
    numberOf(shared) {
      const known = numbers.get(shared)
      if (known !== undefined) return known
      const number = values.length
      const value = read(shared)
      values.push(value)
      numbers.set(shared, number)
      for (const name of namesOf(value)) {
        const same = named.get(name)
        if (same) same.push(number)
        else named.set(name, [number])
      }
      return number
    },
    withName: (name) => named.get(name) ?? NONE,
  }
}
