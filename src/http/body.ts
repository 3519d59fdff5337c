import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Context, Middleware } from 'koa'
import { koaBody } from 'koa-body'
import { Problem } from '../errors.ts'
import type { RawBody } from './validation/request-input.ts'

export interface BodyState {
  body: RawBody
}

const MIB = 1024 * 1024
const NOTHING = Buffer.alloc(0)
/** Nobody reads it: the client has gone. nginx's number, for the access log. */
const CLIENT_CLOSED = 499
const INFLATERS = { gzip: createGunzip, 'x-gzip': createGunzip, deflate: createInflate, br: createBrotliDecompress }

/**
 * Leaves the body's text, unparsed, in `ctx.state.body`. `limit` is in bytes, after inflating. Throws Problem
 * `payload_too_large`, and `unsupported_media_type` for a Content-Encoding that is unknown or does not hold.
 * A client that goes away while sending gets no answer, and nothing further runs.
 */
export function readBody({ limit = MIB }: { limit?: number } = {}): Middleware<BodyState> {
  const read = textReader(limit)
  return async (ctx, next) => {
    const length = ctx.headers['content-length']
    if (Number(length) > limit) throw tooLarge()
    const none = length === '0' || (length === undefined && ctx.headers['transfer-encoding'] === undefined)
    const bytes = none ? NOTHING : await read(ctx)
    if (bytes === undefined) return gone(ctx)
    ctx.state.body = rawBody(bytes, isJson(ctx.headers['content-type']))
    await next()
  }
}

/**
 * koa-body skips a body without a content type, and leaves an aborted gzip body pending for ever: so it gets a context
 * of its own, whose stream fails with the request. Binary, because decoding must not hide bytes that are not UTF-8.
 */
function textReader(limit: number): (ctx: Context) => Promise<Buffer | undefined> {
  const collect = koaBody({ json: false, urlencoded: false, encoding: 'binary', textLimit: limit })
  return async (ctx) => {
    const request: { body?: string } = {}
    const inflated = inflate(ctx)
    try {
      await collect({ method: 'POST', is: () => 'text', req: inflated, request } as never, async () => {})
      return Buffer.from(request.body ?? '', 'binary')
    } catch (error) {
      return refused(error as Error & { status?: number; code?: string }, ctx)
    } finally {
      if (inflated !== ctx.req) inflated.destroy()
    }
  }
}

function inflate({ req }: Context): Readable {
  const encoding = req.headers['content-encoding']?.trim().toLowerCase() || 'identity'
  if (encoding === 'identity') return req
  if (!Object.hasOwn(INFLATERS, encoding)) throw new Problem('unsupported_media_type')
  const inflater = INFLATERS[encoding as keyof typeof INFLATERS]()
  // Not stream.pipeline: on broken input it would destroy the request, and with it the way to answer.
  req.once('close', () => req.complete || inflater.destroy(new Error('The client left')))
  return Object.assign(req.pipe(inflater), { headers: {} })
}

function refused(error: Error & { status?: number; code?: string }, { req }: Context): undefined {
  if (error.status === 413) throw tooLarge()
  if (error.status === 415) throw new Problem('unsupported_media_type')
  if (error.code?.startsWith('Z_') || error.code?.startsWith('ERR_BROTLI') || error.code?.startsWith('ERR__')) {
    throw new Problem('unsupported_media_type', 'The request body is not what its Content-Encoding says.', {
      cause: error,
    })
  }
  if (isClientGone({ req })) return undefined
  throw error
}

/** True when a request was not received whole. Koa reports such a broken connection to `app.on('error')`: it is no failure of ours. */
export function isClientGone({ req }: Pick<Context, 'req'>): boolean {
  return !req.complete
}

/** The rest of the body is not waited for, so the connection cannot be used again. */
const tooLarge = () => new Problem('payload_too_large', undefined, { headers: { connection: 'close' } })

function gone(ctx: Context): void {
  ctx.status = CLIENT_CLOSED
  ctx.respond = false
}

/** RFC 6838: `application/json`, or any application type with the suffix `+json`. */
function isJson(type: string | undefined): boolean {
  return /^application\/(?:json|[^\s;/]+\+json)$/.test(type?.split(';', 1)[0]?.trim().toLowerCase() ?? '')
}

/** Bytes that are not UTF-8 are no JSON from the first character on, which the empty text says. */
function rawBody(bytes: Buffer, json: boolean): RawBody {
  if (bytes.length === 0) return { kind: 'absent' }
  if (!json) return { kind: 'other', text: new TextDecoder().decode(bytes) }
  try {
    return { kind: 'json', text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch {
    return { kind: 'json', text: '' }
  }
}
