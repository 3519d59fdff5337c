/** A thread that shares a core with the event loop may keep it from a request until the next tick of the scheduler, which may take 4 ms. */
const MAX_RUN_MS = 0.5
/** The shortest sleep that the system has takes about 60 µs. */
const SLEEP_MS = 0.01

const never = new Int32Array(new SharedArrayBuffer(4))
const sleepBriefly = () => void Atomics.wait(never, 0, 0, SLEEP_MS)

/**
 * Returns a function that a long task calls often. After each half millisecond, it sleeps for a moment, so that another thread which waits for
 * the same core can run.
 */
export function createThreadYield({ now = () => performance.now(), sleep = sleepBriefly } = {}): () => void {
  let startedAt = Number.NEGATIVE_INFINITY
  return () => {
    if (now() - startedAt < MAX_RUN_MS) return
    sleep()
    startedAt = now()
  }
}
