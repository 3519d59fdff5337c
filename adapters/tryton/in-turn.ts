import type { Call } from '../../src/ports/call.ts'
import { waited } from './waiting.ts'

/**
 * Work that is done one after the other. Tryton's credit check takes whole tables without waiting for them, so that orders at once
 * make each other fail and slow; whoever leaves before their turn has come is passed over.
 */
export function createTurns() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(call: Call, work: () => Promise<T>): Promise<T> => {
    const mine = last.then(() => waited(Promise.resolve(), call)).then(work)
    last = mine.catch(() => {})
    return waited(mine, call)
  }
}

export type Turns = ReturnType<typeof createTurns>
