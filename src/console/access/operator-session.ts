import type { Database } from '../../storage/database.ts'
import { randomBase62 } from '../../storage/keys/api-key-format.ts'
import {
  addOperatorSession,
  findOperatorSession,
  type OperatorSession,
  touchOperatorSession,
} from '../../storage/operators/operator-sessions.ts'
import type { ConsoleContext, ConsoleMiddleware } from '../console-context.ts'
import { readSessionCookie } from './cookies.ts'

const HOUR_MS = 3_600_000
const SESSION_MS = 12 * HOUR_MS
export const OPERATOR_SESSION_SECONDS = SESSION_MS / 1_000
const IDLE_MS = HOUR_MS
/** That somebody is there is noted so often at the most. */
const NOTED_MS = 60_000
const TOKEN_LENGTH = 43

const iso = (ms: number) => new Date(ms).toISOString()

/** The session of a request, or `null`: it has none, or one that is over. */
export async function readOperatorSession(
  ctx: Pick<ConsoleContext, 'cookies'>,
  db: Database,
  now: number,
): Promise<OperatorSession | null> {
  const token = readSessionCookie(ctx)
  return token === null ? null : findOperatorSession(db, token, { at: iso(now), idleSince: iso(now - IDLE_MS) })
}

/** What pages ask for by themselves. */
const byItself: ReadonlySet<string> = new Set(['text/event-stream', 'application/json'])

/** Finds the session; whoever asks for a page is there. A page that keeps itself up to date is nobody: it streams, asks for numbers, and by HEAD. */
export function loadOperatorSession(db: Database, now: () => number): ConsoleMiddleware {
  return async (ctx, next) => {
    const at = now()
    const found = await readOperatorSession(ctx, db, at)
    ctx.state.session = found
    const isDue = found !== null && at - Date.parse(found.seenAt) >= NOTED_MS
    const isByItself = ctx.method === 'HEAD' || byItself.has(ctx.get('Accept'))
    if (isDue && !isByItself) await touchOperatorSession(db, found.digest, iso(at))
    return next()
  }
}

/** A new session, and the token that opens it. It has nothing of what the browser sent. */
export async function createOperatorSession(transaction: Database, operatorId: string, now: number): Promise<string> {
  const token = randomBase62(TOKEN_LENGTH)
  const times = { at: iso(now), expiresAt: iso(now + SESSION_MS) }
  await addOperatorSession(transaction, token, { operatorId, csrf: randomBase62(TOKEN_LENGTH) }, times)
  return token
}
