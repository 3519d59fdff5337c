import { randomBase62 } from '../../../security/base62.ts'
import { createRequestScope, type RequestScope } from '../../../upstream/request/request-scope.ts'

/** A system that hangs does not keep a page longer. */
const TOTAL_MS = 5_000

/** Returns the scope of the calls for one page. Leave it when they have ended. */
export const createPageScope = (now: () => number): RequestScope =>
  createRequestScope({ requestId: `console-${randomBase62(10)}` }, { totalMs: TOTAL_MS, reserveMs: 0 }, now)
