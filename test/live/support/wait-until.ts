import { setTimeout as pause } from 'node:timers/promises'

/** As long as a crowded machine may need for what others do: only what never comes fails. */
const PATIENCE_MS = 900_000
const LOOK_MS = 25

/** Asks until what is asked holds. */
export async function waitUntil(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + PATIENCE_MS
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`waited in vain until ${what}`)
    await pause(LOOK_MS)
  }
}
