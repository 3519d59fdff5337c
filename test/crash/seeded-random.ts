/** Repeatable random numbers (mulberry32): kills and faults happen at the same steps in every run, as far as the machine's pace allows. */
export function createSeededRandom(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    next,
    between: (from: number, to: number) => from + Math.floor(next() * (to - from + 1)),
    of: <T>(choices: readonly T[]): T => choices[Math.floor(next() * choices.length)]!,
  }
}

export type SeededRandom = ReturnType<typeof createSeededRandom>
