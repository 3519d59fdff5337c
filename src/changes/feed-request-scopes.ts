import { type Asking, createAsking } from '../upstream/request-scope.ts'

/** Longer than any guard waits. */
const ANSWER_MS = 30_000

/** What a feed asks: all of it can be given up at once. */
export interface Questions {
  ask(name: string): Asking
  leave(): void
}

export function createQuestions(now: () => number): Questions {
  const open = new Set<Asking>()
  let left = false
  return {
    ask(name) {
      const requestId = `feed-${name.replace('/', '-')}`
      const asking = createAsking({ requestId }, { totalMs: ANSWER_MS, reserveMs: 0 }, now)
      return {
        ...asking,
        onLeave(listener) {
          open.add(asking)
          if (left) asking.leave()
          asking.onLeave(listener)
        },
        offLeave(listener) {
          open.delete(asking)
          asking.offLeave(listener)
        },
      }
    },
    leave() {
      left = true
      for (const asking of open) asking.leave()
    },
  }
}
