import type Router from '@koa/router'
import { Problem } from '../../errors.ts'
import { endOperatorSession } from '../../storage/operators/operator-sessions.ts'
import { SESSION_COOKIE, setCookie } from './cookies.ts'
import { formOf, readForm } from '../form-body.ts'
import type { Frame } from '../page-renderer.ts'
import { BROWSER_COOKIE, BROWSER_SECONDS } from './device-cookie.ts'
import { mustBeOurs, mustHold } from './csrf-protection.ts'
import { goTo, wayHere } from '../redirect.ts'
import { SESSION_SECONDS } from './operator-session.ts'
import { type SigningIn, saidOf, signIn } from './sign-in.ts'
import { addressOf, type Context, type Middleware, Refusal } from '../console-context.ts'

export interface EntranceParts extends SigningIn {
  frame: Frame
  /** As browsers reach this listener, when something stands in front. */
  url: string | undefined
}

/** The pages before the session: signing in, and out. */
export function entrance(router: Router, parts: EntranceParts): void {
  const { db, frame, url } = parts
  const secure = url?.startsWith('https:') ?? false

  function show(ctx: Context, view: { to: string; name?: string; mistake?: string; again?: boolean }): void {
    ctx.type = 'html'
    ctx.body = frame.outside('sign-in', 'Sign in', { name: '', mistake: null, again: false, ...view })
  }

  async function enter(ctx: Context): Promise<void> {
    mustBeOurs(ctx, url)
    const form = formOf(ctx)
    const [name, to] = [form.get('name')?.trim().toLowerCase() ?? '', wayHere(form.get('to'))]
    const mark = ctx.cookies.get(BROWSER_COOKIE)
    const tried = { name, password: form.get('password') ?? '', address: addressOf(ctx), mark }
    const entered = await signIn(parts, tried).catch(refusalOf)
    if (entered === null || entered instanceof Problem) {
      const { status, mistake, headers } = saidOf(entered)
      ctx.status = status
      ctx.set(headers)
      return show(ctx, { to, name: name.slice(0, 64), mistake })
    }
    if (ctx.state.session) await endOperatorSession(db, ctx.state.session.digest)
    setCookie(ctx, SESSION_COOKIE, entered.token, { seconds: SESSION_SECONDS, secure })
    setCookie(ctx, BROWSER_COOKIE, entered.mark, { seconds: BROWSER_SECONDS, secure })
    goTo(ctx, to)
  }

  async function leave(ctx: Context): Promise<void> {
    const { session } = ctx.state
    // Also without one: a form of another site comes without the cookie, and what answers it could take that away.
    mustBeOurs(ctx, url)
    if (session) {
      mustHold(session.csrf, formOf(ctx))
      await endOperatorSession(db, session.digest)
    }
    setCookie(ctx, SESSION_COOKIE, '', { seconds: 0, secure })
    goTo(ctx, '/sign-in')
  }

  router.get('/sign-in', (ctx) => {
    const to = wayHere(new URLSearchParams(ctx.querystring).get('to'))
    if (ctx.state.session) return goTo(ctx as never, to)
    // Whoever follows a link from elsewhere comes without the strict cookie: once loaded again from here, the page has it.
    return show(ctx as never, { to, again: /^(?:cross|same)-site$/.test(ctx.get('Sec-Fetch-Site')) })
  })
  router.post('/sign-in', readForm() as never, enter as never)
  router.post('/sign-out', readForm() as never, leave as never)
}

/** Tries that are used up, or too many at once. */
function refusalOf(error: unknown): Problem {
  if (error instanceof Problem) return error
  throw error
}

/** From here on everybody has signed in. A browser is shown where; whatever else asks is refused. */
export const signedIn: Middleware = (ctx, next) => {
  if (ctx.state.session) return next()
  const accept = ctx.get('Accept')
  const isReading = ctx.method === 'GET' || ctx.method === 'HEAD'
  if (!isReading || (accept !== '' && !accept.includes('text/html')))
    throw new Refusal(401, 'Your session has ended, or you have not signed in.')
  const to = wayHere(ctx.url)
  goTo(ctx, to === '/' ? '/sign-in' : `/sign-in?to=${encodeURIComponent(to)}`)
}
