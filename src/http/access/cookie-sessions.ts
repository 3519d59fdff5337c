import { LRUCache } from 'lru-cache'
import { randomBase62 } from '../../security/base62.ts'
import type { Context } from '../context.ts'

const ID_LENGTH = 32
const MAX_SESSIONS = 1_000

type CookieContext = Pick<Context, 'cookies' | 'host'>

/** Keeps sessions in memory, each under the random id in a cookie that scripts cannot read and other sites do not send. A restart ends all of them. */
export function createCookieSessions<Session extends object>({ cookie, path }: { cookie: string; path: string }) {
  const sessions = new LRUCache<string, Session>({ max: MAX_SESSIONS })
  /** Browsers send the cookies of one port to all ports of a host, where other servers of this program may listen. */
  const nameFor = ({ host }: CookieContext) => [cookie, ...(/:(\d+)$/.exec(host)?.slice(1) ?? [])].join('_')
  const idOf = (ctx: CookieContext) => ctx.cookies.get(nameFor(ctx)) ?? ''
  return {
    idOf,
    find: (ctx: CookieContext) => sessions.get(idOf(ctx)),
    /** A new id for each sign-in: one that was planted before it gives access to nothing. */
    open(ctx: CookieContext, session: Session): void {
      sessions.delete(idOf(ctx))
      const id = randomBase62(ID_LENGTH)
      sessions.set(id, session)
      ctx.cookies.set(nameFor(ctx), id, { httpOnly: true, sameSite: 'strict', path, overwrite: true })
    },
    /** Refreshes the tokens of a session, or ends it. A session that has ended in the meantime stays ended. */
    replace(id: string, session: Session | null): void {
      if (!session) sessions.delete(id)
      else if (sessions.has(id)) sessions.set(id, session)
    },
  }
}
