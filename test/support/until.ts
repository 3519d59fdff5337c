import { setTimeout as pause } from 'node:timers/promises'

const PATIENCE_MS = 8_000

/** Asks again and again until what is asked holds. Rejects, naming it, when that takes too long. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + PATIENCE_MS
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`waited in vain until ${what}`)
    await pause(5)
  }
}
