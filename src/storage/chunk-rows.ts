/** A statement for each number of rows would be one to prepare for each: few sizes do, the largest first. */
const SIZES = [64, 16, 4, 1] as const

/** Splits rows among statements, none of them so long that others wait for it. */
export function* chunkRows<T>(rows: readonly T[]): Generator<T[]> {
  for (let from = 0; from < rows.length; ) {
    const size = SIZES.find((most) => most <= rows.length - from)!
    yield rows.slice(from, from + size)
    from += size
  }
}
