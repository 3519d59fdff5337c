import type { Logger } from 'pino'
import { Problem } from '../errors.ts'
import { toRequestId } from '../http/request-id.ts'
import { isStoreUnavailable } from '../storage/transact.ts'
import { type ConsoleContext, ConsoleHttpError, type ConsoleMiddleware } from './console-context.ts'
import type { PageRenderer } from './page-renderer.ts'

const titles: Readonly<Record<number, string>> = {
  401: 'Sign in first',
  403: 'Not allowed',
  404: 'Not found',
  413: 'Too large',
  415: 'Not a form',
  421: 'Not known by that name',
  503: 'Not now',
}

/** Whatever is thrown becomes a page in our own words; the log has the rest. */
export function renderErrorPages(frame: PageRenderer, logger: Logger, now: () => number): ConsoleMiddleware {
  return async (ctx, next) => {
    try {
      await next()
      if (ctx.status === 404 && ctx.body === undefined && ctx.respond !== false)
        throw new ConsoleHttpError(404, 'There is no such page.')
    } catch (thrown) {
      const { status, why, headers, reference } = told(thrown, logger)
      ctx.status = status
      ctx.set(headers)
      ctx.type = 'html'
      ctx.body = refusedPage(ctx, { title: titles[status] ?? 'Something went wrong', why, reference })
    }
  }

  function refusedPage(
    ctx: ConsoleContext,
    { title, ...view }: { title: string; why: string; reference: string | null },
  ): string {
    const { session } = ctx.state
    if (!session) return frame.outside('error-signed-out', title, view)
    const extra = { notice: null, live: false }
    return frame.whole({ template: 'error', title, view }, { session, path: ctx.url, nowMs: now() }, extra)
  }
}

function told(thrown: unknown, logger: Logger) {
  if (thrown instanceof ConsoleHttpError)
    return { status: thrown.status, why: thrown.message, headers: { ...thrown.headers }, reference: null }
  if (thrown instanceof Problem && thrown.status < 500) {
    const why = thrown.status === 413 ? 'What was sent is larger than 64 KiB.' : thrown.detail
    return { status: thrown.status, why, headers: thrown.headers, reference: null }
  }
  const reference = toRequestId(undefined)
  const away = isStoreUnavailable(thrown)
  logger[away ? 'warn' : 'error']({ err: thrown, reference }, 'an operations page failed')
  const why = away ? 'The store cannot be reached.' : 'This page could not be made.'
  return { status: away ? 503 : 500, why, headers: {}, reference }
}
