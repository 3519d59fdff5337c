import type Router from '@koa/router'
import { Problem } from '../../errors.ts'
import { endOperatorSession } from '../../storage/operators/operator-sessions.ts'
import { isStoreUnavailable } from '../../storage/store-errors.ts'
import type { StoreMonitor } from '../../storage/store-monitor.ts'
import type { ConsoleContext } from '../console-context.ts'
import { parseForm, readFormBody } from '../form-body.ts'
import { toLocalPath } from '../local-path.ts'
import type { MerchantDirectory } from '../merchant-directory.ts'
import type { PageRenderer } from '../page-renderer.ts'
import { redirectTo } from '../redirect.ts'
import { describeStoreOutage, STORE_OUTAGE_EFFECT } from '../text/store-outage-text.ts'
import { requireCsrfToken, requireSameOrigin } from './csrf-protection.ts'
import { DEVICE_COOKIE, DEVICE_COOKIE_SECONDS } from './device-cookie.ts'
import { OPERATOR_SESSION_COOKIE, OPERATOR_SESSION_SECONDS, type OperatorSessionReader } from './operator-session.ts'
import { setCookie } from './set-cookie.ts'
import { describeSignInFailure, type OperatorSignInParts, signInOperator } from './sign-in.ts'

export interface SignInRoutesParts extends OperatorSignInParts {
  renderer: PageRenderer
  /** The address that browsers use when a proxy is in front. */
  url: string | undefined
  store: Pick<StoreMonitor, 'outage'>
  sessions: Pick<OperatorSessionReader, 'forget'>
  merchants: Pick<MerchantDirectory, 'time'>
}

interface SignInView {
  to: string
  name?: string
  error?: string
  reload?: boolean
  /** The browser has the cookie of a session that has ended. */
  hasEnded?: boolean
  /** The store is unavailable, so that nobody can sign in. */
  outage?: string | null
}

/** Registers the routes that need no session: signing in and signing out. */
export function registerSignInRoutes(router: Router, parts: SignInRoutesParts): void {
  const { db, renderer, url, store, merchants, sessions } = parts
  const describeOutage = () =>
    store.outage && describeStoreOutage(store.outage, merchants.time(store.outage.beganAt, null))

  function showForm(ctx: ConsoleContext, view: SignInView): void {
    ctx.type = 'html'
    ctx.body = renderer.renderSignedOutPage('sign-in', 'Sign in', {
      name: '',
      error: null,
      reload: false,
      hasEnded: false,
      outage: describeOutage(),
      effect: STORE_OUTAGE_EFFECT,
      ...view,
    })
  }

  async function signIn(ctx: ConsoleContext): Promise<void> {
    requireSameOrigin(ctx, url)
    const form = parseForm(ctx)
    const name = form.get('name')?.trim().toLowerCase() ?? ''
    const to = toLocalPath(form.get('to'))
    const password = form.get('password') ?? ''
    const deviceToken = ctx.cookies.get(DEVICE_COOKIE)
    const attempt = { name, password, address: ctx.state.clientAddress, deviceToken }
    const result = await signInOperator(parts, attempt).catch(toProblem)
    if (result === null || result instanceof Problem) {
      const { status, message, headers } = describeSignInFailure(result)
      ctx.status = status
      ctx.set(headers)
      return showForm(ctx, { to, name: name.slice(0, 64), error: message })
    }
    if (ctx.state.session) await endOperatorSession(db, ctx.state.session.digest)
    sessions.forget(ctx)
    setCookie(ctx, OPERATOR_SESSION_COOKIE, result.sessionToken, OPERATOR_SESSION_SECONDS)
    setCookie(ctx, DEVICE_COOKIE, result.deviceToken, DEVICE_COOKIE_SECONDS)
    redirectTo(ctx, to)
  }

  async function signOut(ctx: ConsoleContext): Promise<void> {
    const { session } = ctx.state
    // Checked without a session too: a form of another site arrives without the cookie, and the response would delete it.
    requireSameOrigin(ctx, url)
    if (session) {
      requireCsrfToken(session.csrf, parseForm(ctx))
      await endOperatorSession(db, session.digest)
    }
    sessions.forget(ctx)
    setCookie(ctx, OPERATOR_SESSION_COOKIE, '', 0)
    redirectTo(ctx, '/sign-in')
  }

  router.get('/sign-in', (ctx) => {
    const to = toLocalPath(new URLSearchParams(ctx.querystring).get('to'))
    if (ctx.state.session) return redirectTo(ctx as never, to)
    // A link from another site arrives without the SameSite=Strict cookie; a reload from this origin sends it.
    const reload = /^(?:cross|same)-site$/.test(ctx.get('Sec-Fetch-Site'))
    return showForm(ctx as never, { to, reload, hasEnded: Boolean(ctx.cookies.get(OPERATOR_SESSION_COOKIE)) })
  })
  router.post('/sign-in', readFormBody() as never, signIn as never)
  router.post('/sign-out', readFormBody() as never, signOut as never)
}

/** Returns a problem (rate limit, overload or store outage) as a value, and rethrows every other error. */
function toProblem(error: unknown): Problem {
  if (isStoreUnavailable(error)) return new Problem('store_unavailable')
  if (error instanceof Problem) return error
  throw error
}
