import type { FinishedRequest } from '../diagnostics/finished-request.ts'
import { tenantOf } from '../storage/tenant-columns.ts'
import type { Tracing } from '../tracing/tracing.ts'
import type { Middleware } from './context.ts'
import { readRequestRecordSkus } from './request-record-skus.ts'

/** Notified of every request, once its response has been sent. */
export type RequestObserver = (request: FinishedRequest) => void

const CART_ID = /cart_[0-9A-Za-z]{22}/

/** Reads the cart of a request: from its path, or from the body of a checkout. */
function readCartId(url: string, body: unknown): string | null {
  const cartId = (body as { cart_id?: unknown } | null | undefined)?.cart_id
  return CART_ID.exec(typeof cartId === 'string' ? cartId : url)?.[0] ?? null
}

/** Reports each request when its response has been written or its client has disconnected (status 499). */
export function observeRequests(observe: RequestObserver, tracing: Tracing | undefined): Middleware {
  return async (ctx, next) => {
    const { state } = ctx
    ctx.res.once('close', () => {
      // A request that was refused before traceRequest starts a trace of its own.
      const recorder = state.recorder ?? tracing?.request(undefined, state.startedAt)
      const request: FinishedRequest = {
        requestId: state.requestId,
        mode: state.mode,
        tenant: state.key?.record.tenant_id ?? state.merchant ?? null,
        keyId: state.key?.record.key_id ?? state.endedKey?.key_id ?? null,
        clientAddress: state.clientAddress,
        method: ctx.method,
        url: ctx.url,
        route: state.route ?? 'none',
        status: ctx.res.writableFinished || state.streamOpenedAt ? ctx.res.statusCode : 499,
        ms: (state.streamOpenedAt ?? performance.now()) - state.startedAt,
        cache: state.cacheStatus ?? 'none',
        code: state.code,
        reachedLimit: state.reachedLimit,
        sections: state.sectionTraces,
        calls: state.calls && [...state.calls],
        deadlineMs: state.deadlineMs,
        customerId: state.customerId,
        skus: readRequestRecordSkus(state),
        refusedSkus: state.refusedSkus,
        skuRefusals: state.skuRefusals,
        cartId: readCartId(ctx.url, state.body),
        traceId: recorder?.traceId,
      }
      if (state.endedKey) request.endedKeyOf = tenantOf(state.endedKey)
      observe(request)
      recorder?.end?.(request)
    })
    await next()
  }
}
