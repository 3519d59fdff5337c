import { randomBase62 } from '../../security/random-id.ts'
import type { Database } from '../../storage/database.ts'
import {
  addOperatorSession,
  findOperatorSession,
  type OperatorSession,
  touchOperatorSession,
} from '../../storage/operators/operator-sessions.ts'
import type { ConsoleContext, ConsoleMiddleware } from '../console-context.ts'

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

/** Returns the session of a request, or `null` if it has none or the session has ended. */
export async function readOperatorSession(
  ctx: Pick<ConsoleContext, 'cookies'>,
  db: Database,
  now: number,
): Promise<OperatorSession | null> {
  const token = ctx.cookies.get(OPERATOR_SESSION_COOKIE)
  if (token === undefined || !TOKEN_PATTERN.test(token)) return null
  return findOperatorSession(db, token, { at: toIso(now), idleSince: toIso(now - IDLE_TIMEOUT_MS) })
}

/** The media types that scripts of the pages request without a user. */
const backgroundMediaTypes: ReadonlySet<string> = new Set(['text/event-stream', 'application/json'])

/** Loads the session. A page request counts as activity; streams, JSON and HEAD requests, which pages send on their own, do not. */
export function loadOperatorSession(db: Database, now: () => number): ConsoleMiddleware {
  return async (ctx, next) => {
    const at = now()
    const session = await readOperatorSession(ctx, db, at)
    ctx.state.session = session
    const isTouchDue = session !== null && at - Date.parse(session.seenAt) >= TOUCH_INTERVAL_MS
    const isBackground = ctx.method === 'HEAD' || backgroundMediaTypes.has(ctx.get('Accept'))
    if (isTouchDue && !isBackground) await touchOperatorSession(db, session.digest, toIso(at))
    return next()
  }
}

/** Creates a session and returns its token. Nothing in it comes from the browser. */
export async function createOperatorSession(transaction: Database, operatorId: string, now: number): Promise<string> {
  const token = randomBase62(TOKEN_LENGTH)
  const times = { at: toIso(now), expiresAt: toIso(now + SESSION_MS) }
  await addOperatorSession(transaction, token, { operatorId, csrf: randomBase62(TOKEN_LENGTH) }, times)
  return token
}
