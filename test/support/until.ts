import { setTimeout as pause } from 'node:timers/promises'

const PATIENCE_MS = 120_000

/** Asks again and again until what is asked holds. Rejects, naming it, when that takes too long. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const end = Date.now() + patienceMs
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`waited in vain until ${what}`)
    await pause(5)
  }
}
