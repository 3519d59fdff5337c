const MAX_LISTS = 50_000

/** Returns a function that creates the list of each key once. */
export function cacheLists<K, L extends object>(create: (key: K) => L): (key: K) => L {
  const lists = new Map<K, L>()
  return (key) => {
    const known = lists.get(key)
    if (known) return known
    const list = create(key)
    if (lists.size >= MAX_LISTS) lists.clear()
    lists.set(key, list)
    return list
  }
}
