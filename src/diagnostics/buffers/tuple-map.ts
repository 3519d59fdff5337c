import { getOrCreate } from '../counts/tally.ts'

/** Values under a few words each. */
export interface TupleMap<V> {
  get(words: readonly string[]): V | undefined
  /** Made when it is not there yet. */
  getOrCreate(words: readonly string[], make: () => V): V
  values(): readonly V[]
}

interface Branch<V> {
  value?: V
  branches: Map<string, Branch<V>>
}

/** Making one text of the words, to look that up, costs several times what looking up each does. */
export function createTupleMap<V>(): TupleMap<V> {
  const root: Branch<V> = { branches: new Map() }
  const all: V[] = []
  return {
    get(words) {
      let branch: Branch<V> | undefined = root
      for (const word of words) branch = branch?.branches.get(word)
      return branch?.value
    },
    getOrCreate(words, make) {
      let branch = root
      for (const word of words) {
        branch = getOrCreate(branch.branches, word, (): Branch<V> => ({ branches: new Map() }))
      }
      if (branch.value === undefined) {
        branch.value = make()
        all.push(branch.value)
      }
      return branch.value
    },
    values: () => all,
  }
}
