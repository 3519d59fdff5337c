import { LRUCache } from 'lru-cache'
import { waitUpTo } from '../../lifecycle/wait-up-to.ts'
import { randomBase62 } from '../../security/base62.ts'
import type { Database } from '../../storage/database.ts'
import {
  addOperatorSession,
  findOperatorSession,
  type OperatorSession,
  touchOperatorSession,
} from '../../storage/operators/operator-sessions.ts'
import { isStoreUnavailable } from '../../storage/store-errors.ts'
import type { ConsoleContext, ConsoleMiddleware } from '../console-context.ts'
import { ConsoleHttpError } from '../console-http-error.ts'
import { toLocalPath } from '../local-path.ts'
import { redirectTo } from '../redirect.ts'

export const OPERATOR_SESSION_COOKIE = 'forecourt_operations'

const HOUR_MS = 3_600_000
const SESSION_MS = 12 * HOUR_MS
export const OPERATOR_SESSION_SECONDS = SESSION_MS / 1_000
const IDLE_TIMEOUT_MS = HOUR_MS
/** The last-seen time of a session is written at most this often. */
const TOUCH_INTERVAL_MS = 60_000
const TOKEN_LENGTH = 43
const TOKEN_PATTERN = /^[0-9A-Za-z]{43}$/

const toIso = (ms: number) => new Date(ms).toISOString()

/** Reads the sessions of requests. */
export interface OperatorSessionReader {
  /** Returns the session of a request, or `null` if it has none or the session has ended. */
  read(ctx: Pick<ConsoleContext, 'cookies' | 'method'>): Promise<OperatorSession | null>
  /** Call it when the session of a request has been ended: it is not valid while the store hangs either. */
  forget(ctx: Pick<ConsoleContext, 'cookies'>): void
}

/** A page does not wait for the store longer than this if it knows the session. */
const STORE_WAIT_MS = 800

interface KnownSession {
  session: OperatorSession
  at: number
}

/** Requests that change nothing. Others need the session as it is in the store now. */
const readMethods: ReadonlySet<string> = new Set(['GET', 'HEAD'])

/** While the store is unavailable or hangs, a session that was read within the last hour may still see pages: operators need them then. */
export function createOperatorSessionReader(
  db: Database,
  now: () => number,
  storeWaitMs = STORE_WAIT_MS,
): OperatorSessionReader {
  const known = new LRUCache<string, KnownSession>({ max: 1_000 })
  /** Look-ups that the store has not answered yet, so that open pages do not start more of them. */
  const pending = new Map<string, Promise<OperatorSession | null>>()

  async function find(token: string): Promise<OperatorSession | null> {
    const at = now()
    const session = await findOperatorSession(db, token, { at: toIso(at), idleSince: toIso(at - IDLE_TIMEOUT_MS) })
    if (session) known.set(token, { session, at })
    else known.delete(token)
    return session
  }

  function findOnce(token: string): Promise<OperatorSession | null> {
    const running = pending.get(token)
    if (running) return running
    const run = find(token).finally(() => pending.delete(token))
    pending.set(token, run)
    return run
  }

  return {
    async read(ctx) {
      const token = ctx.cookies.get(OPERATOR_SESSION_COOKIE)
      if (token === undefined || !TOKEN_PATTERN.test(token)) return null
      const last = known.get(token)
      const found = findOnce(token)
      if (!last || now() - last.at > IDLE_TIMEOUT_MS || !readMethods.has(ctx.method)) return found
      try {
        const answer = await waitUpTo(
          storeWaitMs,
          found.then((session) => ({ session })),
        )
        return answer ? answer.session : last.session
      } catch (error) {
        if (!isStoreUnavailable(error)) throw error
        return last.session
      }
    },
    forget(ctx) {
      known.delete(ctx.cookies.get(OPERATOR_SESSION_COOKIE) ?? '')
    },
  }
}

/** The media types that scripts of the pages request without a user. */
const backgroundMediaTypes: ReadonlySet<string> = new Set(['text/event-stream', 'application/json'])

/** Loads the session. A page request counts as activity; streams, JSON and HEAD requests, which pages send on their own, do not. */
export function loadOperatorSession(
  db: Database,
  sessions: OperatorSessionReader,
  now: () => number,
): ConsoleMiddleware {
  return async (ctx, next) => {
    const at = now()
    const session = await sessions.read(ctx)
    ctx.state.session = session
    const isTouchDue = session !== null && at - Date.parse(session.seenAt) >= TOUCH_INTERVAL_MS
    const isBackground = ctx.method === 'HEAD' || backgroundMediaTypes.has(ctx.get('Accept'))
    if (isTouchDue && !isBackground)
      await waitUpTo(STORE_WAIT_MS, touchOperatorSession(db, session.digest, toIso(at)).catch(ignoreStoreOutage))
    return next()
  }
}

/** During a store outage, the page is shown although the time of the visit cannot be written. */
function ignoreStoreOutage(error: unknown): void {
  if (!isStoreUnavailable(error)) throw error
}

/** Creates a session and returns its token. Nothing in it comes from the browser. */
export async function createOperatorSession(transaction: Database, operatorId: string, now: number): Promise<string> {
  const token = randomBase62(TOKEN_LENGTH)
  const times = { at: toIso(now), expiresAt: toIso(now + SESSION_MS) }
  await addOperatorSession(transaction, token, { operatorId, csrf: randomBase62(TOKEN_LENGTH) }, times)
  return token
}

/** Requires a session. Page requests are redirected to the sign-in page, all other requests are refused. */
export const requireOperatorSession: ConsoleMiddleware = (ctx, next) => {
  if (ctx.state.session) return next()
  const accept = ctx.get('Accept')
  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD'
  if (!isRead || (accept !== '' && !accept.includes('text/html')))
    throw new ConsoleHttpError(401, 'You are not signed in, or your session has ended.')
  const to = toLocalPath(ctx.url)
  redirectTo(ctx, to === '/' ? '/sign-in' : `/sign-in?to=${encodeURIComponent(to)}`)
}
