import { setTimeout as pause } from 'node:timers/promises'

/** A limit long enough for a busy machine: only what never happens fails. */
const PATIENCE_MS = 900_000
const LOOK_MS = 25

/** Waits until a condition holds. `describe` adds the last state to the error. */
export async function waitUntil(
  what: string,
  holds: () => boolean | Promise<boolean>,
  describe: () => string | Promise<string> = () => '',
): Promise<void> {
  const end = Date.now() + PATIENCE_MS
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`waited in vain until ${what} ${await describe()}`.trimEnd())
    await pause(LOOK_MS)
  }
}
