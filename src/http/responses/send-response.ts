import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { Representation } from '../../cache/representation.ts'
import { type CachedResponse, cacheControlOf } from '../../cache/response-cache.ts'
import type { Context } from '../context.ts'
import { toRateLimitHeaders } from '../limits/rate-limit-headers.ts'
import type { RateLimitCharge } from '../limits/rate-limiter.ts'

export const PRIVATE_NO_STORE = 'private, no-store'
export const VARY_HEADER = 'Authorization, X-Storefront-Shopper-Token, X-Sandbox-Fault, Accept-Encoding, Origin'

/** A response without the headers that every response carries: request id, mode and rate limit. */
export interface PreparedResponse {
  status: number
  /** `null`: no body, and no Content-Type. */
  body: string | Buffer | Readable | null
  contentType?: string
  cacheControl?: string
  headers?: Readonly<Record<string, string>> | undefined
}

/** JSON in one content-coding, under its own strong ETag. */
export interface RepresentationResponse {
  representation: Representation
  cacheControl: string
  /** No section is missing, stale or incomplete. */
  isComplete: boolean
  /** RFC 9211. */
  cacheStatus: string
}

/** Passes a response to Koa, which writes it after the last middleware, so that the response for an Idempotency-Key is stored first. */
export function sendResponse(ctx: Pick<Context, 'status' | 'body' | 'set'>, response: PreparedResponse): void {
  const { status, body, contentType, cacheControl, headers } = response
  ctx.status = status
  if (headers) ctx.set(headers)
  if (cacheControl !== undefined) ctx.set('Cache-Control', cacheControl)
  if (body === null) return
  if (contentType !== undefined) ctx.set('Content-Type', contentType)
  ctx.body = body
}

/** Sends a document that must not be cached. */
export function sendJson(ctx: Pick<Context, 'status' | 'body' | 'set'>, status: number, body: object): void {
  sendResponse(ctx, {
    status,
    body: JSON.stringify(body),
    contentType: 'application/json; charset=utf-8',
    cacheControl: 'no-store',
  })
}

/** Sends a representation. With status 304 it sends no body. A read is written at once, unless a browser needs CORS headers. */
export function sendRepresentation(
  ctx: Context,
  response: RepresentationResponse,
  status: number,
  headers?: Readonly<Record<string, string>>,
): void {
  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD'
  if (isRead && (status === 200 || status === 304) && ctx.req.headers.origin === undefined) {
    const { requestId, mode, charge } = ctx.state
    if (headers) ctx.set(headers)
    ctx.respond = false
    writeResponse(ctx.res, status, response, requestId, mode, charge!)
  } else sendResponse(ctx, toPreparedResponse(response, status, headers))
}

function toPreparedResponse(
  { representation, cacheControl, isComplete, cacheStatus }: RepresentationResponse,
  status: number,
  headers: Readonly<Record<string, string>> | undefined,
): PreparedResponse {
  const { body, coding, etag } = representation
  const validators = {
    ...headers,
    Vary: VARY_HEADER,
    ETag: etag,
    'Forecourt-Complete': String(isComplete),
    'Cache-Status': cacheStatus,
  }
  if (status === 304) return { status, body: null, cacheControl, headers: validators }
  return {
    status,
    body,
    contentType: 'application/json',
    cacheControl,
    headers: coding === 'identity' ? validators : { ...validators, 'Content-Encoding': coding },
  }
}

/** Writes a representation to the socket at once. Positional arguments and one header array: this is the hot path. */
export function writeResponse(
  res: ServerResponse,
  status: 200 | 304,
  response: RepresentationResponse,
  requestId: string,
  mode: string,
  charge: RateLimitCharge,
): void {
  const { representation } = response
  res.writeHead(status, toRawHeaders(status, response, requestId, mode, charge))
  if (status === 304 || res.req.method === 'HEAD') res.end()
  else res.end(representation.body, representation.encoding)
}

/** Returns a raw header list for `writeHead`: several times cheaper than setting headers one by one, and in one fixed order. */
function toRawHeaders(
  status: 200 | 304,
  response: RepresentationResponse,
  requestId: string,
  mode: string,
  charge: RateLimitCharge,
): string[] {
  const { representation } = response
  const limits = toRateLimitHeaders(charge)
  const headers = [
    'X-Request-Id',
    requestId,
    'X-Service-Mode',
    mode,
    'RateLimit-Policy',
    limits['RateLimit-Policy'],
    'RateLimit',
    limits.RateLimit,
    'X-RateLimit-Limit',
    limits['X-RateLimit-Limit'],
    'X-RateLimit-Remaining',
    limits['X-RateLimit-Remaining'],
    'X-RateLimit-Reset',
    limits['X-RateLimit-Reset'],
    'ETag',
    representation.etag,
    'Cache-Control',
    response.cacheControl,
    'Vary',
    VARY_HEADER,
    'Forecourt-Complete',
    response.isComplete ? 'true' : 'false',
    'Cache-Status',
    response.cacheStatus,
  ]
  if (status === 304) return headers
  headers.push('Content-Type', 'application/json', 'Content-Length', `${representation.bytes}`)
  if (representation.coding !== 'identity') headers.push('Content-Encoding', representation.coding)
  return headers
}

/** Describes a cached response in one content-coding. `customerId`: the shopper that it is for, `null` for an anonymous read. */
export const toRepresentationResponse = (
  cached: CachedResponse,
  representation: Representation,
  customerId: string | null,
  cacheStatus: string,
): RepresentationResponse => ({
  representation,
  cacheControl: cacheControlOf(cached, customerId),
  isComplete: cached.complete,
  cacheStatus,
})
