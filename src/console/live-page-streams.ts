import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { Problem } from '../errors.ts'
import type { Database } from '../storage/database.ts'
import { readOperatorSession } from './access/operator-session.ts'
import { type ConsoleContext, ConsoleHttpError } from './console-context.ts'
import type { ConsolePage, ConsoleRequest } from './console-page.ts'
import type { PageRenderer } from './page-renderer.ts'

/** At once, in a process, */
const MOST = 50
/** and of one account. */
const MOST_EACH = 10
const EVERY_MS = 1_000
/** A line that says nothing, so that what stands in between does not take the stream for dead. */
const HEARTBEAT_TICKS = 15
/** The page is to be loaded again. */
const OVER = 'event: ended\ndata:\n\n'

/** Disposing ends them all, and no more are opened. */
export interface LivePageStreams extends Disposable {
  /** Answers a live page as server-sent events, until its reader leaves or the session ends. Throws Refusal when there are too many. */
  open(ctx: ConsoleContext, page: ConsolePage, visit: ConsoleRequest): void
}

interface StreamParts {
  db: Database
  frame: PageRenderer
  logger: Logger
  now: () => number
}

export function createLivePageStreams({ db, frame, logger, now }: StreamParts): LivePageStreams {
  const running = new Map<AbortController, { res: ServerResponse; operatorId: string }>()
  let over = false

  /** What the page shows now; `null`: who looks at it may do so no more. */
  async function shownNow(ctx: ConsoleContext, page: ConsolePage, visit: ConsoleRequest): Promise<string | null> {
    const session = await readOperatorSession(ctx, db, now())
    if (!session || (page.role === 'operator' && session.operator.role !== 'operator')) return null
    const answer = await page.answer({ ...visit, operator: session.operator })
    if (!('template' in answer)) throw new Error(`${page.path} is live and does not show a page`)
    return frame.main(answer, { session, path: ctx.url, nowMs: now() })
  }

  async function run(
    ctx: ConsoleContext,
    page: ConsolePage,
    visit: ConsoleRequest,
    signal: AbortSignal,
  ): Promise<void> {
    const { res } = ctx
    let last = ''
    for (let tick = 1; !signal.aborted; tick++) {
      const html = await shownNow(ctx, page, visit)
      if (signal.aborted) return
      if (html === null) return void res.write(OVER)
      // Who reads slowly is sent the newest when the rest is through.
      if (html !== last && !res.writableNeedDrain) {
        last = html
        res.write(`event: main\n${dataOf(html)}\n\n`)
      } else if (tick % HEARTBEAT_TICKS === 0) res.write(':\n\n')
      await pause(EVERY_MS, undefined, { signal, ref: false })
    }
  }

  return {
    open(ctx, page, visit) {
      const { operatorId } = visit.operator
      const theirs = running.values().filter((one) => one.operatorId === operatorId)
      if (over || running.size >= MOST || [...theirs].length >= MOST_EACH)
        throw new ConsoleHttpError(503, 'Too many pages are being looked at live.')
      const ends = new AbortController()
      ctx.respond = false
      // Who left while the session was looked up does not leave again.
      if (ctx.res.closed) return
      ctx.res.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' })
      ctx.res.write('retry: 2000\n\n')
      ctx.res.once('close', () => ends.abort())
      running.set(ends, { res: ctx.res, operatorId })
      run(ctx, page, { ...visit, signal: ends.signal }, ends.signal)
        .catch((err) => {
          // Gone, or not for them: they are shown that when they load it again.
          if (err instanceof Problem && err.status < 500) return void ctx.res.write(OVER)
          if (!ends.signal.aborted) logger.warn({ err, page: page.path }, 'a live page has ended')
        })
        .finally(() => {
          running.delete(ends)
          ctx.res.end()
        })
    },
    // An answer that hangs is not waited for.
    [Symbol.dispose]() {
      over = true
      for (const [ends, { res }] of running) {
        ends.abort()
        res.end()
      }
    },
  }
}

/** Lines as server-sent events have them: CR ends one too. */
const dataOf = (text: string) =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => `data: ${line}`)
    .join('\n')
