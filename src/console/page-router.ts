import type Router from '@koa/router'
import { formOf, readForm, storable } from './form-body.ts'
import type { Frame } from './page-renderer.ts'
import { leaveNotice, takeNotice } from './flash-message.ts'
import { mustBeOurs, mustHold } from './access/csrf-protection.ts'
import type { ConsolePage, Sent, Shown, Told, Visit } from './console-page.ts'
import { goTo, wayHere } from './redirect.ts'
import { addressOf, type Context, Refusal } from './console-context.ts'
import type { Streams } from './live-page-streams.ts'

interface ServingParts {
  pages: readonly ConsolePage[]
  frame: Frame
  streams: Streams
  url: string | undefined
  now: () => number
}

/** The pages behind the session: each is asked once it is clear who asks, from where, and that they may. */
export function servePages(router: Router, { pages, frame, streams, url, now }: ServingParts): void {
  const secure = url?.startsWith('https:') ?? false

  function show(ctx: Context, page: ConsolePage, shown: Shown): void {
    const session = ctx.state.session!
    const extra = { notice: takeNotice(ctx, session, secure), live: page.live ?? false }
    ctx.status = shown.status ?? 200
    ctx.type = 'html'
    ctx.body = frame.whole(shown, { session, path: ctx.url, nowMs: now() }, extra)
  }

  function send(ctx: Context, page: ConsolePage, answer: Shown | Sent | Told): void {
    if ('template' in answer) {
      show(ctx, page, answer)
      return
    }
    if ('json' in answer) {
      ctx.status = answer.status ?? 200
      ctx.body = answer.json
      return
    }
    const { redirect, notice, failed = false } = answer
    if (notice !== '') leaveNotice(ctx, ctx.state.session!, { text: notice, failed }, secure)
    goTo(ctx, wayHere(redirect))
  }

  async function enter(ctx: Context, page: ConsolePage): Promise<void> {
    const { operator, csrf } = ctx.state.session!
    const form = formOf(ctx)
    if (page.method === 'POST') {
      mustBeOurs(ctx, url)
      mustHold(csrf, form)
    }
    using leaving = untilLeft(ctx)
    const visit: Visit = { ...visitOf(ctx, form), operator, signal: leaving.signal }
    if (page.role === 'operator' && operator.role !== 'operator') {
      await page.refused?.(visit)
      throw new Refusal(403, 'Your account reads. Only an account with the role operator may do that.')
    }
    if (page.live && ctx.method === 'GET' && ctx.get('Accept') === 'text/event-stream')
      return streams.open(ctx, page, visit)
    send(ctx, page, await page.answer(visit))
  }

  for (const page of pages) {
    const steps = page.method === 'POST' ? [readForm()] : []
    const methods = page.method === 'GET' ? ['GET', 'HEAD'] : ['POST']
    router.register(page.path, methods, [...steps, (ctx: Context) => enter(ctx, page)] as never)
  }
}

const visitOf = (ctx: Context & { params?: Record<string, string> }, form: URLSearchParams) => ({
  params: Object.fromEntries(Object.entries(ctx.params ?? {}).map(([name, value]) => [name, storable(value)])),
  query: new URLSearchParams(storable(ctx.querystring)),
  form,
  address: addressOf(ctx),
})

function untilLeft({ res }: Context): Disposable & { signal: AbortSignal } {
  const left = new AbortController()
  const abort = () => left.abort()
  if (res.closed) abort()
  res.once('close', abort)
  return { signal: left.signal, [Symbol.dispose]: () => void res.off('close', abort) }
}
