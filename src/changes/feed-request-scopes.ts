import { createRequestScope, type RequestScope } from '../upstream/request-scope.ts'

/** Longer than any guard waits. */
const ANSWER_MS = 30_000

/** What a feed asks: all of it can be given up at once. */
export interface FeedRequestScopes {
  ask(name: string): RequestScope
  leave(): void
}

export function createFeedRequestScopes(now: () => number): FeedRequestScopes {
  const open = new Set<RequestScope>()
  let left = false
  return {
    ask(name) {
      const requestId = `feed-${name.replace('/', '-')}`
      const requestScope = createRequestScope({ requestId }, { totalMs: ANSWER_MS, reserveMs: 0 }, now)
      return {
        ...requestScope,
        onLeave(listener) {
          open.add(requestScope)
          if (left) requestScope.leave()
          requestScope.onLeave(listener)
        },
        offLeave(listener) {
          open.delete(requestScope)
          requestScope.offLeave(listener)
        },
      }
    },
    leave() {
      left = true
      for (const requestScope of open) requestScope.leave()
    },
  }
}
