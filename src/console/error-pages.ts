import type { Logger } from 'pino'
import { Problem } from '../errors.ts'
import { toRequestId } from '../http/request-id.ts'
import { isStoreUnavailable } from '../storage/store-errors.ts'
import type { StoreMonitor } from '../storage/store-monitor.ts'
import type { ConsoleContext, ConsoleMiddleware } from './console-context.ts'
import { ConsoleHttpError } from './console-http-error.ts'
import type { MerchantDirectory } from './merchant-directory.ts'
import type { PageRenderer } from './page-renderer.ts'
import { describeStoreOutage, STORE_NAME, STORE_OUTAGE_EFFECT } from './text/store-outage-text.ts'

const titles: Readonly<Record<number, string>> = {
  401: 'Sign in first',
  403: 'Not allowed',
  404: 'Not found',
  413: 'Form too large',
  415: 'Not a form',
  421: 'Unknown host name',
  503: 'Unavailable',
}
const STORE_OUTAGE_TITLE = `${STORE_NAME} is unavailable`

/** What an error page says. */
interface ErrorPageView {
  message: string
  /** The page needs the store. */
  storeEffect: string | null
  /** The page opens again by itself when the store is back: it was no form. */
  awaitsStore: boolean
  reference: string | null
}

export interface ErrorPagesParts {
  renderer: PageRenderer
  store: Pick<StoreMonitor, 'outage'>
  merchants: Pick<MerchantDirectory, 'time'>
  logger: Logger
  now: () => number
}

/** Turns every error into an error page. The page shows our own texts only; the log has the details. */
export function renderErrorPages(parts: ErrorPagesParts): ConsoleMiddleware {
  const { renderer, now } = parts
  return async (ctx, next) => {
    try {
      await next()
      if (ctx.status === 404 && ctx.body === undefined && ctx.respond !== false)
        throw new ConsoleHttpError(404, 'There is no such page.')
    } catch (error) {
      const { status, headers, message, reference, isStoreOutage = false } = toErrorResponse(error, parts)
      ctx.status = status
      ctx.set(headers)
      ctx.type = 'html'
      const title = isStoreOutage ? STORE_OUTAGE_TITLE : (titles[status] ?? 'Something went wrong')
      const storeEffect = isStoreOutage ? STORE_OUTAGE_EFFECT : null
      const awaitsStore = isStoreOutage && ctx.method === 'GET'
      ctx.body = renderErrorPage(ctx, title, { message, storeEffect, awaitsStore, reference })
    }
  }

  function renderErrorPage(ctx: ConsoleContext, title: string, view: ErrorPageView): string {
    const { session } = ctx.state
    if (!session) return renderer.renderSignedOutPage('error-signed-out', title, view)
    const context = { session, path: ctx.url, nowMs: now() }
    return renderer.renderPage({ template: 'error', title, view }, context, { flashMessage: null, isLive: false })
  }
}

interface ErrorResponse extends Pick<ErrorPageView, 'message' | 'reference'> {
  status: number
  headers: Record<string, string>
  isStoreOutage?: boolean
}

function toErrorResponse(error: unknown, { store, logger, merchants }: ErrorPagesParts): ErrorResponse {
  if (error instanceof ConsoleHttpError)
    return { status: error.status, message: error.message, headers: { ...error.headers }, reference: null }
  if (error instanceof Problem && error.status < 500) {
    const message = error.status === 413 ? 'The form is larger than 64 KiB.' : error.detail
    return { status: error.status, message, headers: error.headers, reference: null }
  }
  const reference = toRequestId(undefined)
  const isStoreOutage = isStoreUnavailable(error)
  logger[isStoreOutage ? 'warn' : 'error']({ err: error, reference }, 'an operations page failed')
  if (!isStoreOutage) return { status: 500, message: 'This page could not be rendered.', headers: {}, reference }
  const { outage } = store
  const message = outage
    ? describeStoreOutage(outage, merchants.time(outage.beganAt, null))
    : `${STORE_NAME} cannot be reached.`
  return { status: 503, message, headers: {}, reference, isStoreOutage }
}
