import type { RequestOutcome } from '../diagnostics/request-outcome.ts'
import type { SectionTrace } from '../sections/section.ts'
import { redactApiKeys } from '../storage/keys/api-key-format.ts'
import type { Tracing } from '../tracing/tracing.ts'
import type { Middleware } from './context.ts'

/** Told of every request, when its answer has been handed over. */
export type RequestObserver = (outcome: RequestOutcome) => void

const INFO = 30

/** The line of a request: built here from known fields, none of which is a header, a body or a token. */
export function formatAccessLogLine(access: RequestOutcome, time: number): string {
  const { tenant, keyId, code, sections, traceId } = access
  return (
    `{"level":${INFO},"time":${time},"msg":"request","request_id":"${access.requestId}","mode":"${access.mode}"` +
    `,"tenant":${tenant === null ? null : `"${tenant}"`},"key_id":${keyId === null ? null : `"${keyId}"`}` +
    `,"method":"${access.method}","url":${quoted(access.url)},"route":"${access.route}","status":${access.status}` +
    `,"ms":${access.ms.toFixed(2)},"cache":"${access.cache}"` +
    (code === undefined ? '' : `,"code":"${code}"`) +
    (sections === undefined ? '' : `,"sections":${JSON.stringify(sections.map(lineOf))}`) +
    (traceId === undefined ? '' : `,"trace_id":"${traceId}"`) +
    '}'
  )
}

/** As the log tells of a section. */
const lineOf = ({ name, outcome, ms }: SectionTrace) => ({ name, outcome, ms })

const PLAIN = /^[\w\-./?=&%:+~,@!*]*$/

function quoted(asked: string): string {
  const url = redactApiKeys(asked)
  return url.length <= 512 && PLAIN.test(url) ? `"${url}"` : JSON.stringify(url.slice(0, 512))
}

/** One line a request, when its answer has been handed to the socket or its reader has gone. */
export function logAccess(observe: RequestObserver, tracing: Tracing | undefined): Middleware {
  return async (ctx, next) => {
    const { state } = ctx
    ctx.res.once('close', () => {
      // What did not come so far is of no trace but ours.
      const trail = state.trail ?? tracing?.request(undefined, state.startedAt)
      const outcome: RequestOutcome = {
        requestId: state.requestId,
        mode: state.mode,
        tenant: state.known?.record.tenant_id ?? state.tenant ?? null,
        keyId: state.known?.record.key_id ?? null,
        method: ctx.method,
        url: ctx.url,
        route: state.route ?? 'none',
        status: ctx.res.writableFinished ? ctx.res.statusCode : 499,
        ms: performance.now() - state.startedAt,
        cache: state.cache ?? 'none',
        code: state.code,
        sections: state.traces,
        calls: state.calls && [...state.calls],
        deadlineMs: state.deadlineMs,
        traceId: trail?.traceId,
      }
      observe(outcome)
      trail?.end?.(outcome)
    })
    await next()
  }
}
