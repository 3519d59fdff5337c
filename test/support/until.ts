import { setTimeout as pause } from 'node:timers/promises'

const TIMEOUT_MS = 120_000

/** Waits until a condition holds. Rejects with its description when that takes too long. */
export async function until(
  description: string,
  isTrue: () => boolean | Promise<boolean>,
  timeoutMs = TIMEOUT_MS,
): Promise<void> {
  const endsAt = Date.now() + timeoutMs
  while (!(await isTrue())) {
    if (Date.now() > endsAt) throw new Error(`timed out waiting until ${description}`)
    await pause(5)
  }
}

/** Waits until a condition holds, up to the time limit of the test. */
export async function untilTrue(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await pause(2)
}
