import type { Logger } from 'pino'
import { Problem } from '../errors.ts'
import { toRequestId } from '../http/request-id.ts'
import { isStoreUnavailable } from '../storage/store-errors.ts'
import type { StoreMonitor } from '../storage/store-monitor.ts'
import type { ConsoleContext, ConsoleMiddleware } from './console-context.ts'
import { ConsoleHttpError } from './console-http-error.ts'
import type { PageRenderer } from './page-renderer.ts'

const titles: Readonly<Record<number, string>> = {
  401: 'Sign in first',
  403: 'Not allowed',
  404: 'Not found',
  413: 'Form too large',
  415: 'Not a form',
  421: 'Unknown host name',
  503: 'Unavailable',
}

export interface ErrorPagesParts {
  renderer: PageRenderer
  store: Pick<StoreMonitor, 'outage'>
  logger: Logger
  now: () => number
}

/** Turns every error into an error page. The page shows our own texts only; the log has the details. */
export function renderErrorPages({ renderer, store, logger, now }: ErrorPagesParts): ConsoleMiddleware {
  return async (ctx, next) => {
    try {
      await next()
      if (ctx.status === 404 && ctx.body === undefined && ctx.respond !== false)
        throw new ConsoleHttpError(404, 'There is no such page.')
    } catch (error) {
      const { status, message, headers, reference } = toErrorResponse(error, { store, logger })
      ctx.status = status
      ctx.set(headers)
      ctx.type = 'html'
      ctx.body = renderErrorPage(ctx, { title: titles[status] ?? 'Something went wrong', message, reference })
    }
  }

  function renderErrorPage(
    ctx: ConsoleContext,
    { title, ...view }: { title: string; message: string; reference: string | null },
  ): string {
    const { session } = ctx.state
    if (!session) return renderer.renderSignedOutPage('error-signed-out', title, view)
    const context = { session, path: ctx.url, nowMs: now() }
    return renderer.renderPage({ template: 'error', title, view }, context, { flashMessage: null, isLive: false })
  }
}

function toErrorResponse(error: unknown, { store, logger }: Pick<ErrorPagesParts, 'store' | 'logger'>) {
  if (error instanceof ConsoleHttpError)
    return { status: error.status, message: error.message, headers: { ...error.headers }, reference: null }
  if (error instanceof Problem && error.status < 500) {
    const message = error.status === 413 ? 'The form is larger than 64 KiB.' : error.detail
    return { status: error.status, message, headers: error.headers, reference: null }
  }
  const reference = toRequestId(undefined)
  const isUnavailable = isStoreUnavailable(error)
  logger[isUnavailable ? 'warn' : 'error']({ err: error, reference }, 'an operations page failed')
  const message = isUnavailable ? describeStoreOutage(store.outage) : 'This page could not be rendered.'
  return { status: isUnavailable ? 503 : 500, message, headers: {}, reference }
}

const describeStoreOutage = (outage: StoreMonitor['outage']) =>
  outage
    ? `The store has been unavailable since ${new Date(outage.beganAt).toISOString()}: ${outage.reason}.`
    : 'The store cannot be reached.'
