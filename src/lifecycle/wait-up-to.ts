/** How long an orderly shutdown waits for background work. */
export const BACKGROUND_STOP_TIMEOUT_MS = 2_000

/** Waits for work up to a time limit: `null` when the time is over, while the work goes on and may fail unnoticed. */
export async function waitUpTo<T>(limitMs: number, work: Promise<T>): Promise<T | null> {
  const { promise: timeout, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(resolve, limitMs, null)
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}
