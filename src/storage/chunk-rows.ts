/** Chunk sizes, the largest first. Each size is one statement to prepare, so there are few of them. */
const SIZES = [64, 16, 4, 1] as const

/** Splits rows into chunks, each small enough for one short statement. */
export function* chunkRows<T>(rows: readonly T[]): Generator<T[]> {
  for (let from = 0; from < rows.length; ) {
    const size = SIZES.find((candidate) => candidate <= rows.length - from)!
    yield rows.slice(from, from + size)
    from += size
  }
}
