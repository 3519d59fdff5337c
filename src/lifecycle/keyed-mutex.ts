const tails = new Map<string, Promise<unknown>>()

/** Runs work under a key after all earlier work under the same key in this process, in the order of the calls. */
export async function runExclusive<T>(key: string, work: () => Promise<T>): Promise<T> {
  const result = (tails.get(key) ?? Promise.resolve()).then(work)
  const tail = result.catch(() => {})
  tails.set(key, tail)
  try {
    return await result
  } finally {
    if (tails.get(key) === tail) tails.delete(key)
  }
}
