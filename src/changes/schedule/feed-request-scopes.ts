import { createRequestScope, type RequestScope } from '../../upstream/request/request-scope.ts'

/** Longer than any timeout of the guard. */
const CALL_TIMEOUT_MS = 30_000

/** The request scopes of a feed's calls, which can be abandoned all at once. */
export interface FeedRequestScopes {
  create(name: string): RequestScope
  leaveAll(): void
}

export function createFeedRequestScopes(now: () => number): FeedRequestScopes {
  const open = new Set<RequestScope>()
  let isLeft = false
  return {
    create(name) {
      const requestId = `feed-${name.replace('/', '-')}`
      const requestScope = createRequestScope({ requestId }, { totalMs: CALL_TIMEOUT_MS, reserveMs: 0 }, now)
      return {
        ...requestScope,
        onLeave(listener) {
          open.add(requestScope)
          if (isLeft) requestScope.leave()
          requestScope.onLeave(listener)
        },
        offLeave(listener) {
          open.delete(requestScope)
          requestScope.offLeave(listener)
        },
      }
    },
    leaveAll() {
      isLeft = true
      for (const requestScope of open) requestScope.leave()
    },
  }
}
