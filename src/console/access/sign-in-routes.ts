import type Router from '@koa/router'
import { Problem } from '../../errors.ts'
import { endOperatorSession } from '../../storage/operators/operator-sessions.ts'
import { type ConsoleContext, ConsoleHttpError, type ConsoleMiddleware, readClientAddress } from '../console-context.ts'
import { parseForm, readFormBody } from '../form-body.ts'
import type { PageRenderer } from '../page-renderer.ts'
import { redirectTo, toLocalPath } from '../redirect.ts'
import { OPERATOR_SESSION_COOKIE, setCookie } from './cookies.ts'
import { requireCsrfToken, requireSameOrigin } from './csrf-protection.ts'
import { DEVICE_COOKIE, DEVICE_COOKIE_SECONDS } from './device-cookie.ts'
import { OPERATOR_SESSION_SECONDS } from './operator-session.ts'
import { describeSignInFailure, type OperatorSignInParts, signInOperator } from './sign-in.ts'

export interface SignInRoutesParts extends OperatorSignInParts {
  frame: PageRenderer
  /** As browsers reach this listener, when something stands in front. */
  url: string | undefined
}

/** The pages before the session: signing in, and out. */
export function registerSignInRoutes(router: Router, parts: SignInRoutesParts): void {
  const { db, frame, url } = parts
  const secure = url?.startsWith('https:') ?? false

  function show(ctx: ConsoleContext, view: { to: string; name?: string; mistake?: string; again?: boolean }): void {
    ctx.type = 'html'
    ctx.body = frame.outside('sign-in', 'Sign in', { name: '', mistake: null, again: false, ...view })
  }

  async function enter(ctx: ConsoleContext): Promise<void> {
    requireSameOrigin(ctx, url)
    const form = parseForm(ctx)
    const [name, to] = [form.get('name')?.trim().toLowerCase() ?? '', toLocalPath(form.get('to'))]
    const mark = ctx.cookies.get(DEVICE_COOKIE)
    const tried = { name, password: form.get('password') ?? '', address: readClientAddress(ctx), mark }
    const entered = await signInOperator(parts, tried).catch(refusalOf)
    if (entered === null || entered instanceof Problem) {
      const { status, mistake, headers } = describeSignInFailure(entered)
      ctx.status = status
      ctx.set(headers)
      return show(ctx, { to, name: name.slice(0, 64), mistake })
    }
    if (ctx.state.session) await endOperatorSession(db, ctx.state.session.digest)
    setCookie(ctx, OPERATOR_SESSION_COOKIE, entered.token, { seconds: OPERATOR_SESSION_SECONDS, secure })
    setCookie(ctx, DEVICE_COOKIE, entered.mark, { seconds: DEVICE_COOKIE_SECONDS, secure })
    redirectTo(ctx, to)
  }

  async function leave(ctx: ConsoleContext): Promise<void> {
    const { session } = ctx.state
    // Also without one: a form of another site comes without the cookie, and what answers it could take that away.
    requireSameOrigin(ctx, url)
    if (session) {
      requireCsrfToken(session.csrf, parseForm(ctx))
      await endOperatorSession(db, session.digest)
    }
    setCookie(ctx, OPERATOR_SESSION_COOKIE, '', { seconds: 0, secure })
    redirectTo(ctx, '/sign-in')
  }

  router.get('/sign-in', (ctx) => {
    const to = toLocalPath(new URLSearchParams(ctx.querystring).get('to'))
    if (ctx.state.session) return redirectTo(ctx as never, to)
    // Whoever follows a link from elsewhere comes without the strict cookie: once loaded again from here, the page has it.
    return show(ctx as never, { to, again: /^(?:cross|same)-site$/.test(ctx.get('Sec-Fetch-Site')) })
  })
  router.post('/sign-in', readFormBody() as never, enter as never)
  router.post('/sign-out', readFormBody() as never, leave as never)
}

/** Tries that are used up, or too many at once. */
function refusalOf(error: unknown): Problem {
  if (error instanceof Problem) return error
  throw error
}

/** From here on everybody has signed in. A browser is shown where; whatever else asks is refused. */
export const requireOperatorSession: ConsoleMiddleware = (ctx, next) => {
  if (ctx.state.session) return next()
  const accept = ctx.get('Accept')
  const isReading = ctx.method === 'GET' || ctx.method === 'HEAD'
  if (!isReading || (accept !== '' && !accept.includes('text/html')))
    throw new ConsoleHttpError(401, 'Your session has ended, or you have not signed in.')
  const to = toLocalPath(ctx.url)
  redirectTo(ctx, to === '/' ? '/sign-in' : `/sign-in?to=${encodeURIComponent(to)}`)
}
