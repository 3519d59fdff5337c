import type { RequestOutcome } from '../diagnostics/request-outcome.ts'
import type { SectionTrace } from '../sections/section-trace.ts'
import { redactApiKeys } from '../security/redact.ts'
import { tenantOf } from '../storage/tenant-columns.ts'
import type { Tracing } from '../tracing/tracing.ts'
import type { Middleware } from './context.ts'
import { readRequestedSkus } from './requested-skus.ts'

/** Notified of every request, once its response has been sent. */
export type RequestObserver = (outcome: RequestOutcome) => void

/** Returns the log line of a request after its `start`. It is built from known fields, none of which is a header, a body or a token. */
export function formatAccessLogLine(outcome: RequestOutcome, start: string): string {
  const { tenant, keyId, code, sections, traceId } = outcome
  return (
    `${start},"msg":"request","request_id":"${outcome.requestId}","mode":"${outcome.mode}"` +
    `,"tenant":${tenant === null ? null : `"${tenant}"`},"key_id":${keyId === null ? null : `"${keyId}"`}` +
    `,"client_address":"${outcome.clientAddress}"` +
    `,"method":"${outcome.method}","url":${quoteUrl(outcome.url)},"route":"${outcome.route}","status":${outcome.status}` +
    `,"ms":${outcome.ms.toFixed(2)},"cache":"${outcome.cache}"` +
    (code === undefined ? '' : `,"code":"${code}"`) +
    (sections === undefined ? '' : `,"sections":[${sections.map(formatSection).join(',')}]`) +
    (traceId === undefined ? '' : `,"trace_id":"${traceId}"`) +
    '}'
  )
}

/** Names and outcomes are words of ours, which need no quoting. */
const formatSection = ({ name, outcome, ms }: SectionTrace) => `{"name":"${name}","outcome":"${outcome}","ms":${ms}}`

/** Characters that JSON does not escape. */
const PLAIN = /^[\w\-./?=&%:+~,@!*]*$/

function quoteUrl(requestUrl: string): string {
  const url = redactApiKeys(requestUrl)
  return url.length <= 512 && PLAIN.test(url) ? `"${url}"` : JSON.stringify(url.slice(0, 512))
}

const CART_ID = /cart_[0-9A-Za-z]{22}/

/** Reads the cart of a request: from its path, or from the body of a checkout. */
function readCartId(url: string, body: unknown): string | null {
  const cartId = (body as { cart_id?: unknown } | null | undefined)?.cart_id
  return CART_ID.exec(typeof cartId === 'string' ? cartId : url)?.[0] ?? null
}

/** Reports each request when its response has been written or its client has disconnected (status 499). */
export function logAccess(observe: RequestObserver, tracing: Tracing | undefined): Middleware {
  return async (ctx, next) => {
    const { state } = ctx
    ctx.res.once('close', () => {
      // A request that was refused before traceRequest starts a trace of its own.
      const recorder = state.recorder ?? tracing?.request(undefined, state.startedAt)
      const outcome: RequestOutcome = {
        requestId: state.requestId,
        mode: state.mode,
        tenant: state.key?.record.tenant_id ?? state.merchant ?? null,
        keyId: state.key?.record.key_id ?? state.endedKey?.key_id ?? null,
        clientAddress: state.clientAddress,
        method: ctx.method,
        url: ctx.url,
        route: state.route ?? 'none',
        status: ctx.res.writableFinished ? ctx.res.statusCode : 499,
        ms: performance.now() - state.startedAt,
        cache: state.cacheStatus ?? 'none',
        code: state.code,
        reachedLimit: state.reachedLimit,
        sections: state.sectionTraces,
        calls: state.calls && [...state.calls],
        deadlineMs: state.deadlineMs,
        customerId: state.customerId,
        skus: readRequestedSkus(state),
        cartId: readCartId(ctx.url, state.body),
        traceId: recorder?.traceId,
      }
      if (state.endedKey) outcome.endedKeyOf = tenantOf(state.endedKey)
      observe(outcome)
      recorder?.end?.(outcome)
    })
    await next()
  }
}
