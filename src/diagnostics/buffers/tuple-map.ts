import { made } from '../counts/tally.ts'

/** Values under a few words each. */
export interface ByWords<V> {
  find(words: readonly string[]): V | undefined
  /** Made when it is not there yet. */
  at(words: readonly string[], make: () => V): V
  all(): readonly V[]
}

interface Branch<V> {
  value?: V
  branches: Map<string, Branch<V>>
}

/** Making one text of the words, to look that up, costs several times what looking up each does. */
export function createByWords<V>(): ByWords<V> {
  const root: Branch<V> = { branches: new Map() }
  const all: V[] = []
  return {
    find(words) {
      let branch: Branch<V> | undefined = root
      for (const word of words) branch = branch?.branches.get(word)
      return branch?.value
    },
    at(words, make) {
      let branch = root
      for (const word of words) {
        branch = made(branch.branches, word, (): Branch<V> => ({ branches: new Map() }))
      }
      if (branch.value === undefined) {
        branch.value = make()
        all.push(branch.value)
      }
      return branch.value
    },
    all: () => all,
  }
}
