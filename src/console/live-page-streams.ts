import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { Problem } from '../errors.ts'
import { isStoreUnavailable } from '../storage/store-errors.ts'
import type { OperatorSessionReader } from './access/operator-session.ts'
import type { ConsoleContext } from './console-context.ts'
import { ConsoleHttpError } from './console-http-error.ts'
import type { ConsolePage, ConsoleRequest } from './console-page.ts'
import type { PageRenderer } from './page-renderer.ts'

const MAX_STREAMS = 50
const MAX_STREAMS_PER_OPERATOR = 10
const RENDER_INTERVAL_MS = 1_000
/** A page that has not changed hears from the server after this many renderings. After ten seconds of silence it says that it is not live. */
const HEARTBEAT_TICKS = 4
const ALIVE_EVENT = 'event: alive\ndata:\n\n'
/** The page cannot be rendered now; the text says why. */
const toTroubleEvent = (text: string) => `event: trouble\ndata: ${text}\n\n`
/** Makes the browser reload the page. */
const ENDED_EVENT = 'event: ended\ndata:\n\n'

/** Disposing ends all streams and refuses new ones. */
export interface LivePageStreams extends Disposable {
  /** Responds with server-sent events until the client disconnects or the session ends. Throws ConsoleHttpError 503 when too many streams are open. */
  open(ctx: ConsoleContext, page: ConsolePage, request: ConsoleRequest): void
}

interface LivePageStreamsParts {
  sessions: OperatorSessionReader
  renderer: PageRenderer
  logger: Logger
  now: () => number
}

interface OpenStream {
  res: ServerResponse
  operatorId: string
}

export function createLivePageStreams({ sessions, renderer, logger, now }: LivePageStreamsParts): LivePageStreams {
  const streams = new Map<AbortController, OpenStream>()
  let isDisposed = false

  /** Renders the page, or returns `null` if the operator may no longer see it. */
  async function render(ctx: ConsoleContext, page: ConsolePage, request: ConsoleRequest): Promise<string | null> {
    const session = await sessions.read(ctx)
    if (!session || (page.role === 'operator' && session.operator.role !== 'operator')) return null
    const response = await page.respond({ ...request, operator: session.operator })
    if (!('template' in response)) throw new Error(`${page.path} is live but does not render a template`)
    return renderer.renderMain(response, { session, path: ctx.url, nowMs: now() })
  }

  async function run(ctx: ConsoleContext, page: ConsolePage, request: ConsoleRequest): Promise<void> {
    const { res } = ctx
    const { signal } = request
    let lastHtml = ''
    for (let tick = 1; !signal.aborted; tick++) {
      const html = await render(ctx, page, request)
      if (signal.aborted) return
      if (html === null) return void res.write(ENDED_EVENT)
      // A slow client gets the newest version once its buffer is drained.
      if (html !== lastHtml && !res.writableNeedDrain) {
        lastHtml = html
        res.write(`event: main\n${toEventData(html)}\n\n`)
      } else if (tick % HEARTBEAT_TICKS === 0) res.write(ALIVE_EVENT)
      await sleep(RENDER_INTERVAL_MS, undefined, { signal, ref: false })
    }
  }

  function requireCapacity(operatorId: string): void {
    const ownCount = [...streams.values()].filter((stream) => stream.operatorId === operatorId).length
    if (isDisposed || streams.size >= MAX_STREAMS || ownCount >= MAX_STREAMS_PER_OPERATOR)
      throw new ConsoleHttpError(503, 'Too many live pages are open.')
  }

  return {
    open(ctx, page, request) {
      const { operatorId } = request.operator
      requireCapacity(operatorId)
      const controller = new AbortController()
      const { signal } = controller
      ctx.respond = false
      // A client that disconnected during the session lookup emits no further close event.
      if (ctx.res.closed) return
      ctx.res.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' })
      ctx.res.write('retry: 2000\n\n')
      ctx.res.once('close', () => controller.abort())
      streams.set(controller, { res: ctx.res, operatorId })
      run(ctx, page, { ...request, signal })
        .catch((err) => {
          // Not found or not allowed: the browser shows that when it reloads the page.
          if (err instanceof Problem && err.status < 500) return void ctx.res.write(ENDED_EVENT)
          if (isStoreUnavailable(err)) ctx.res.write(toTroubleEvent('the store is unavailable'))
          if (!signal.aborted) logger.warn({ err, page: page.path }, 'a live page failed')
        })
        .finally(() => {
          streams.delete(controller)
          ctx.res.end()
        })
    },
    // Does not wait for a page that hangs.
    [Symbol.dispose]() {
      isDisposed = true
      for (const [controller, { res }] of streams) {
        controller.abort()
        res.end()
      }
    },
  }
}

/** Splits text into the `data:` lines of a server-sent event, in which CR ends a line too. */
const toEventData = (text: string) =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => `data: ${line}`)
    .join('\n')
