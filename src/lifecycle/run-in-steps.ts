import { setImmediate as nextTurn } from 'node:timers/promises'

/** Short for waiting requests, and long compared with a turn of the event loop, which may first do the work of many others. */
const SLICE_MS = 10

/** Runs a long computation, which may pause at each `yield`: after ten milliseconds, the process first responds to others. */
export async function runInSteps<Result>(
  steps: Generator<undefined, Result>,
  now: () => number = performance.now.bind(performance),
): Promise<Result> {
  let startedAt = now()
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    if (now() - startedAt < SLICE_MS) continue
    await nextTurn()
    startedAt = now()
  }
}
