import type Router from '@koa/router'
import { requireCsrfToken, requireSameOrigin } from './access/csrf-protection.ts'
import { type ConsoleContext, ConsoleHttpError, readClientAddress } from './console-context.ts'
import type { ConsolePage, ConsoleRequest, JsonResponse, RedirectResponse, TemplateResponse } from './console-page.ts'
import { setFlashMessage, takeFlashMessage } from './flash-message.ts'
import { parseForm, readFormBody, replaceNulCharacters } from './form-body.ts'
import type { LivePageStreams } from './live-page-streams.ts'
import type { PageRenderer } from './page-renderer.ts'
import { redirectTo, toLocalPath } from './redirect.ts'

interface ServingParts {
  pages: readonly ConsolePage[]
  frame: PageRenderer
  streams: LivePageStreams
  url: string | undefined
  now: () => number
}

/** The pages behind the session: each is asked once it is clear who asks, from where, and that they may. */
export function registerConsolePages(router: Router, { pages, frame, streams, url, now }: ServingParts): void {
  const secure = url?.startsWith('https:') ?? false

  function show(ctx: ConsoleContext, page: ConsolePage, shown: TemplateResponse): void {
    const session = ctx.state.session!
    const extra = { notice: takeFlashMessage(ctx, session, secure), live: page.live ?? false }
    ctx.status = shown.status ?? 200
    ctx.type = 'html'
    ctx.body = frame.whole(shown, { session, path: ctx.url, nowMs: now() }, extra)
  }

  function send(
    ctx: ConsoleContext,
    page: ConsolePage,
    answer: TemplateResponse | RedirectResponse | JsonResponse,
  ): void {
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
    if (notice !== '') setFlashMessage(ctx, ctx.state.session!, { text: notice, failed }, secure)
    redirectTo(ctx, toLocalPath(redirect))
  }

  async function enter(ctx: ConsoleContext, page: ConsolePage): Promise<void> {
    const { operator, csrf } = ctx.state.session!
    const form = parseForm(ctx)
    if (page.method === 'POST') {
      requireSameOrigin(ctx, url)
      requireCsrfToken(csrf, form)
    }
    using leaving = untilLeft(ctx)
    const visit: ConsoleRequest = { ...visitOf(ctx, form), operator, signal: leaving.signal }
    if (page.role === 'operator' && operator.role !== 'operator') {
      await page.refused?.(visit)
      throw new ConsoleHttpError(403, 'Your account reads. Only an account with the role operator may do that.')
    }
    if (page.live && ctx.method === 'GET' && ctx.get('Accept') === 'text/event-stream')
      return streams.open(ctx, page, visit)
    send(ctx, page, await page.answer(visit))
  }

  for (const page of pages) {
    const steps = page.method === 'POST' ? [readFormBody()] : []
    const methods = page.method === 'GET' ? ['GET', 'HEAD'] : ['POST']
    router.register(page.path, methods, [...steps, (ctx: ConsoleContext) => enter(ctx, page)] as never)
  }
}

const visitOf = (ctx: ConsoleContext & { params?: Record<string, string> }, form: URLSearchParams) => ({
  params: Object.fromEntries(
    Object.entries(ctx.params ?? {}).map(([name, value]) => [name, replaceNulCharacters(value)]),
  ),
  query: new URLSearchParams(replaceNulCharacters(ctx.querystring)),
  form,
  address: readClientAddress(ctx),
})

function untilLeft({ res }: ConsoleContext): Disposable & { signal: AbortSignal } {
  const left = new AbortController()
  const abort = () => left.abort()
  if (res.closed) abort()
  res.once('close', abort)
  return { signal: left.signal, [Symbol.dispose]: () => void res.off('close', abort) }
}
