/** The default clock of the limits. In whole milliseconds: the rest of a full minute, in fractions, could be rounded up to 61 seconds. */
export const readMonotonicMs = (): number => Math.trunc(performance.now())
