import { getOrCreate } from './get-or-create.ts'

/** Values by keys of a few strings each. */
export interface TupleMap<V> {
  get(key: readonly string[]): V | undefined
  getOrCreate(key: readonly string[], create: () => V): V
  values(): readonly V[]
}

interface Branch<V> {
  value?: V
  branches: Map<string, Branch<V>>
}

/** One map per string of the key: joining the strings for a lookup costs several times as much as a lookup for each. */
export function createTupleMap<V>(): TupleMap<V> {
  const root: Branch<V> = { branches: new Map() }
  const values: V[] = []
  return {
    get(key) {
      let branch: Branch<V> | undefined = root
      for (const part of key) branch = branch?.branches.get(part)
      return branch?.value
    },
    getOrCreate(key, create) {
      let branch = root
      for (const part of key) branch = getOrCreate(branch.branches, part, (): Branch<V> => ({ branches: new Map() }))
      if (branch.value === undefined) {
        branch.value = create()
        values.push(branch.value)
      }
      return branch.value
    },
    values: () => values,
  }
}
