import { type Document, isAlias, isMap, isScalar, isSeq, type Node, type Pair } from 'yaml'

/** Returns the offset of a setting in the text. A missing setting has the offset of the innermost group around it; -1: the whole file. */
export function findYamlOffset(document: Document, path: string): number {
  const find = (node: unknown, names: readonly string[], offset: number): number => {
    const target = isAlias(node) ? node.resolve(document) : node
    if (names.length === 0) return offset
    if (isSeq(target)) {
      const item = target.items[Number(names[0])] as Node | undefined
      return item ? find(item, names.slice(1), item.range?.[0] ?? offset) : offset
    }
    if (!isMap(target)) return offset
    // A name may itself contain a dot.
    for (let count = names.length; count > 0; count -= 1) {
      const pair = target.items.find(({ key }) => keyOf(key) === names.slice(0, count).join('.'))
      if (pair) return find(pair.value, names.slice(count), rangeStart(pair.key) ?? offset)
    }
    const inherited = target.items.filter(({ key }) => isMergeKey(key)).flatMap(mergedNodes)
    return inherited.map((merged) => find(merged, names, offset)).find((found) => found !== offset) ?? offset
  }
  return find(document.contents, path.split('.').filter(Boolean), -1)
}

const keyOf = (key: unknown): string | null => (isScalar(key) ? String(key.value) : null)
/** The parser replaces the text `<<` with a symbol. */
const isMergeKey = (key: unknown) => isScalar(key) && typeof key.value === 'symbol'
const rangeStart = (key: unknown): number | undefined => (isScalar(key) ? key.range?.[0] : undefined)
const mergedNodes = ({ value }: Pair<unknown, unknown>): unknown[] => (isSeq(value) ? value.items : [value])
