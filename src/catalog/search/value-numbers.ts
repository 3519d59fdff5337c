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

/** Numbers JSON lists of strings. */
export interface ListNumbers extends ValueNumbers<string> {
  /** The lists by their numbers, each member once. */
  readonly lists: readonly (readonly string[])[]
}

export function createListNumbers(): ListNumbers {
  const numbers = createValueNumbers<string>()
  const lists: string[][] = []
  return {
    values: numbers.values,
    lists,
    numberOf(value) {
      const number = numbers.numberOf(value)
      if (number === lists.length) lists.push([...new Set(JSON.parse(value) as string[])])
      return number
    },
  }
}
