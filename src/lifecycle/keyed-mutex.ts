const turns = new Map<string, Promise<unknown>>()

/** Work of one name is done one after the other in this process, in the order of asking. */
export async function runExclusive<T>(name: string, work: () => Promise<T>): Promise<T> {
  const mine = (turns.get(name) ?? Promise.resolve()).then(work)
  const settled = mine.catch(() => {})
  turns.set(name, settled)
  try {
    return await mine
  } finally {
    if (turns.get(name) === settled) turns.delete(name)
  }
}
