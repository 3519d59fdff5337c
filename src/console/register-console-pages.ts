import type Router from '@koa/router'
import { requireCsrfToken, requireSameOrigin } from './access/csrf-protection.ts'
import { setCookie } from './access/set-cookie.ts'
import type { ConsoleContext } from './console-context.ts'
import { ConsoleHttpError } from './console-http-error.ts'
import type { ConsolePage, ConsoleRequest, ConsoleResponse, FileResponse, TemplateResponse } from './console-page.ts'
import { setFlashMessage, takeFlashMessage } from './flash-message.ts'
import { parseForm, readFormBody } from './form-body.ts'
import type { LivePageStreams } from './live-page-streams.ts'
import { toLocalPath } from './local-path.ts'
import type { PageRenderer } from './page-renderer.ts'
import { redirectTo } from './redirect.ts'
import { replaceNulCharacters } from './replace-nul-characters.ts'

interface ConsolePagesRouteParts {
  pages: readonly ConsolePage[]
  renderer: PageRenderer
  streams: LivePageStreams
  url: string | undefined
  now: () => number
}

/** Registers the pages that need a session. Origin, CSRF token and role are checked before a page runs. */
export function registerConsolePages(
  router: Router,
  { pages, renderer, streams, url, now }: ConsolePagesRouteParts,
): void {
  function sendTemplate(ctx: ConsoleContext, page: ConsolePage, response: TemplateResponse): void {
    const session = ctx.state.session!
    const options = { flashMessage: takeFlashMessage(ctx, session), isLive: page.isLive ?? false }
    ctx.status = response.status ?? 200
    ctx.type = 'html'
    ctx.body = renderer.renderPage(response, { session, path: ctx.url, nowMs: now() }, options)
  }

  function send(ctx: ConsoleContext, page: ConsolePage, response: ConsoleResponse): void {
    if ('template' in response) {
      sendTemplate(ctx, page, response)
      return
    }
    if ('json' in response) {
      ctx.status = response.status ?? 200
      ctx.body = response.json
      return
    }
    if ('file' in response) {
      sendFile(ctx, response)
      return
    }
    const { redirect, message, isFailure = false, cookie } = response
    if (cookie) setCookie(ctx, cookie.name, cookie.value, cookie.seconds)
    if (message !== '') setFlashMessage(ctx, ctx.state.session!, { text: message, isFailure })
    redirectTo(ctx, toLocalPath(redirect))
  }

  async function handle(ctx: ConsoleContext, page: ConsolePage): Promise<void> {
    const { operator, csrf } = ctx.state.session!
    const form = parseForm(ctx)
    if (page.method === 'POST') {
      requireSameOrigin(ctx, url)
      requireCsrfToken(csrf, form)
    }
    using disconnect = watchDisconnect(ctx)
    const request: ConsoleRequest = {
      ...readRequest(ctx),
      origin: readOrigin(ctx, url),
      form,
      operator,
      signal: disconnect.signal,
    }
    if (page.role === 'operator' && operator.role !== 'operator') {
      await page.onRefused?.(request)
      throw new ConsoleHttpError(403, 'Your account is read-only. This needs an account with the role operator.')
    }
    if (page.isLive && ctx.method === 'GET' && ctx.get('Accept') === 'text/event-stream')
      return streams.open(ctx, page, request)
    send(ctx, page, await page.respond(request))
  }

  for (const page of pages) {
    const bodyReaders = page.method === 'POST' ? [readFormBody()] : []
    const methods = page.method === 'GET' ? ['GET', 'HEAD'] : ['POST']
    router.register(page.path, methods, [...bodyReaders, (ctx: ConsoleContext) => handle(ctx, page)] as never)
  }
}

const readRequest = (ctx: ConsoleContext & { params?: Record<string, string> }) => ({
  params: Object.fromEntries(
    Object.entries(ctx.params ?? {}).map(([name, value]) => [name, replaceNulCharacters(value)]),
  ),
  query: new URLSearchParams(replaceNulCharacters(ctx.querystring)),
  address: ctx.state.clientAddress,
})

const staticMediaTypes = { json: 'application/json; charset=utf-8', csv: 'text/csv; charset=utf-8' } as const

/** The names of files are ids of ours, which need no quoting. */
function sendFile(ctx: ConsoleContext, { file: { name, format, body } }: FileResponse): void {
  ctx.status = 200
  ctx.set('Content-Type', staticMediaTypes[format])
  ctx.set('Content-Disposition', `attachment; filename="${name}"`)
  ctx.body = body
}

/** The configured URL, or the address that the browser has asked for. */
const readOrigin = (ctx: ConsoleContext, url: string | undefined): string =>
  url === undefined ? `${ctx.state.isSecure ? 'https' : 'http'}://${ctx.host}` : new URL(url).origin

/** Returns a signal that aborts when the client disconnects. */
function watchDisconnect({ res }: ConsoleContext): Disposable & { signal: AbortSignal } {
  const controller = new AbortController()
  const abort = () => controller.abort()
  if (res.closed) abort()
  res.once('close', abort)
  return { signal: controller.signal, [Symbol.dispose]: () => void res.off('close', abort) }
}
