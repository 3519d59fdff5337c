import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'
import {
  type IdempotentRequest,
  releaseIdempotencyKey,
  type StoredResponse,
  storeIdempotentResponse,
} from '../../storage/idempotency-keys.ts'
import type { Context, Middleware } from '../context.ts'
import { problemContentType } from '../responses/problem-body.ts'
import type { RespondDeps } from '../responses/respond-from-cache-or-handler.ts'
import { PRIVATE_NO_STORE, sendResponse, VARY_HEADER } from '../responses/send-response.ts'
import type { Route } from '../route.ts'
import type { IdempotencyClaims } from './idempotency-claims.ts'
import { createIdempotencyHandle } from './idempotency-handle.ts'
import { createReusedKeyError, parseIdempotencyKey } from './idempotency-key.ts'
import { createInFlightError } from './in-flight-error.ts'
import { encryptBodies, plaintext } from './response-encryption.ts'

export interface IdempotencyDeps extends Pick<RespondDeps, 'commerce' | 'now'> {
  claims: IdempotencyClaims
}

/**
 * A request that is retried with its Idempotency-Key acts once, and gets the first response again. A refused request has changed nothing:
 * its key is free again, also for another request.
 */
export function enforceIdempotency(route: Route, { commerce, claims, now }: IdempotencyDeps): Middleware {
  const { db } = commerce
  const encryption = route.hasSecretResponse ? encryptBodies(commerce.secretCipher) : plaintext
  return async (ctx, next) => {
    const header = ctx.req.headers['idempotency-key']
    if (header === undefined) return next()
    const key = parseIdempotencyKey(String(header))
    const request = toIdempotentRequest(ctx, route, key)
    const { digest } = request
    const claim = await claims.claim(request)
    if (claim.state === 'reused') throw createReusedKeyError(key)
    if (claim.state === 'in_flight') throw createInFlightError()
    if (claim.state === 'done') return replay(ctx, encryption.open(claim.response, digest))
    const { holder, applied } = claim
    const store = (response: StoredResponse) =>
      storeIdempotentResponse(db, digest, holder, encryption.seal(response, digest))
    const release = () => releaseIdempotencyKey(db, digest, holder, new Date(now()).toISOString())
    const handle = createIdempotencyHandle(digest, holder, applied, encryption)
    ctx.state.idempotency = handle
    try {
      await next()
      if (handle.isReleased) await release()
      else await store(toStoredResponse(ctx))
    } catch (error) {
      await release()
      throw error
    } finally {
      claims.end(digest)
    }
  }
}

function toIdempotentRequest(ctx: Context, route: Route, idempotencyKey: string): IdempotentRequest {
  const { customerId, params, query, body, key } = ctx.state
  const { tenant_id, mode } = key!.record
  const scope = [tenant_id, mode, customerId, route.method, route.path, idempotencyKey]
  return {
    tenant_id,
    digest: hash('sha256', JSON.stringify(scope)),
    fingerprint: hash('sha256', canonicalize({ params, query, body: body ?? null }) ?? ''),
  }
}

function toStoredResponse({ status, body, response }: Context): StoredResponse {
  const location = response.get('Location')
  const text = typeof body === 'string' ? body : Buffer.isBuffer(body) ? body.toString() : null
  return { status, body: text, headers: location ? { Location: location } : {} }
}

/** A store of an earlier release may have a problem as the response. */
function replay(ctx: Context, { status, body, headers }: StoredResponse): void {
  sendResponse(ctx, {
    status,
    body,
    contentType: status >= 400 ? problemContentType(ctx.get('Accept')) : 'application/json',
    cacheControl: PRIVATE_NO_STORE,
    headers: { ...headers, 'Idempotent-Replayed': 'true', Vary: VARY_HEADER },
  })
}
