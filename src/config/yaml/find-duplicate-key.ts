import { type Document, isMap, isScalar, isSeq } from 'yaml'

export interface DuplicateKey {
  path: string
  /** The offset of the first key of this name. */
  firstOffset: number
}

/** Returns the setting whose key begins at an offset, where the parser found a key for the second time. */
export function findDuplicateKey(document: Document, offset: number): DuplicateKey | undefined {
  const find = (node: unknown, names: readonly string[]): DuplicateKey | undefined => {
    if (isSeq(node)) return findFirst(node.items, (item, i) => find(item, [...names, String(i)]))
    if (!isMap(node)) return undefined
    const keys = node.items.map(({ key }) => (isScalar(key) ? key : undefined))
    return findFirst(node.items, ({ value }, i) => {
      const path = [...names, String(keys[i]?.value)]
      if (keys[i]?.range?.[0] !== offset) return find(value, path)
      const first = keys.find((key) => key?.value === keys[i]?.value)
      return { path: path.join('.'), firstOffset: first?.range?.[0] ?? offset }
    })
  }
  return find(document.contents, [])
}

/** Returns the first result that is not `undefined`. */
function findFirst<T, R>(items: readonly T[], search: (item: T, i: number) => R | undefined): R | undefined {
  for (const [i, item] of items.entries()) {
    const found = search(item, i)
    if (found !== undefined) return found
  }
  return undefined
}
