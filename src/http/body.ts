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
const EMPTY = Buffer.alloc(0)
/** The client has disconnected: nginx's status, for the access log. */
const CLIENT_CLOSED_REQUEST = 499
const DECOMPRESSORS = { gzip: createGunzip, 'x-gzip': createGunzip, deflate: createInflate, br: createBrotliDecompress }

/**
 * Leaves the body's text, unparsed, in `ctx.state.body`. `limit` is in bytes, after decompression. Throws Problem
 * `payload_too_large`, and `unsupported_media_type` for an unknown or wrong Content-Encoding.
 * When the client disconnects while sending, there is no response, and no later middleware runs.
 */
export function readBody({ limit = MIB }: { limit?: number } = {}): Middleware<BodyState> {
  const readBytes = createBytesReader(limit)
  return async (ctx, next) => {
    const length = ctx.headers['content-length']
    if (Number(length) > limit) throw createTooLargeError()
    const isEmpty = length === '0' || (length === undefined && ctx.headers['transfer-encoding'] === undefined)
    const bytes = isEmpty ? EMPTY : await readBytes(ctx)
    if (bytes === undefined) return endWithoutResponse(ctx)
    ctx.state.body = toRawBody(bytes, isJson(ctx.headers['content-type']))
    await next()
  }
}

/** Reads the bytes of a body as they were sent, for a signature over them. Returns `null` when the client disconnects. */
export async function readRawBody({ req }: Pick<Context, 'req'>, limit: number): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of req.iterator({ destroyOnReturn: false })) {
      length += (chunk as Buffer).length
      if (length > limit) throw createTooLargeError(`The request body is larger than ${limit / 1_024} KiB.`)
      chunks.push(chunk as Buffer)
    }
  } catch (error) {
    if (error instanceof Problem || !isClientGone({ req })) throw error
    return null
  }
  return Buffer.concat(chunks)
}

/**
 * koa-body skips a body without a content type, and never settles for an aborted gzip body: so it gets a context of its own,
 * whose stream fails with the request. The encoding is binary, because decoding must not hide bytes that are not UTF-8.
 */
function createBytesReader(limit: number): (ctx: Context) => Promise<Buffer | undefined> {
  const collect = koaBody({ json: false, urlencoded: false, encoding: 'binary', textLimit: limit })
  return async (ctx) => {
    const request: { body?: string } = {}
    const stream = decompress(ctx)
    try {
      await collect({ method: 'POST', is: () => 'text', req: stream, request } as never, async () => {})
      return Buffer.from(request.body ?? '', 'binary')
    } catch (error) {
      return handleReadError(error as Error & { status?: number; code?: string }, ctx)
    } finally {
      if (stream !== ctx.req) stream.destroy()
    }
  }
}

function decompress({ req }: Context): Readable {
  const encoding = req.headers['content-encoding']?.trim().toLowerCase() || 'identity'
  if (encoding === 'identity') return req
  if (!Object.hasOwn(DECOMPRESSORS, encoding)) throw new Problem('unsupported_media_type')
  const decompressor = DECOMPRESSORS[encoding as keyof typeof DECOMPRESSORS]()
  // stream.pipeline would destroy the request on broken input, and with it the socket for the response.
  req.once('close', () => req.complete || decompressor.destroy(new Error('The client disconnected')))
  return Object.assign(req.pipe(decompressor), { headers: {} })
}

function handleReadError(error: Error & { status?: number; code?: string }, { req }: Context): undefined {
  if (error.status === 413) throw createTooLargeError()
  if (error.status === 415) throw new Problem('unsupported_media_type')
  if (error.code?.startsWith('Z_') || error.code?.startsWith('ERR_BROTLI') || error.code?.startsWith('ERR__')) {
    throw new Problem('unsupported_media_type', 'The request body does not match its Content-Encoding.', {
      cause: error,
    })
  }
  if (isClientGone({ req })) return undefined
  throw error
}

/** Returns true when a request was not received completely. Koa reports such a connection to `app.on('error')`; it is not an error of ours. */
export function isClientGone({ req }: Pick<Context, 'req'>): boolean {
  return !req.complete
}

/** The rest of the body is not read, so the connection cannot be used again. */
const createTooLargeError = (detail?: string) =>
  new Problem('payload_too_large', detail, { headers: { connection: 'close' } })

function endWithoutResponse(ctx: Context): void {
  ctx.status = CLIENT_CLOSED_REQUEST
  ctx.respond = false
}

/** Returns true for `application/json`, and for an application type with the suffix `+json` (RFC 6838). */
function isJson(type: string | undefined): boolean {
  return /^application\/(?:json|[^\s;/]+\+json)$/.test(type?.split(';', 1)[0]?.trim().toLowerCase() ?? '')
}

/** Bytes that are not UTF-8 become the empty text, which is invalid JSON from its first character. */
function toRawBody(bytes: Buffer, isJsonBody: boolean): RawBody {
  if (bytes.length === 0) return { kind: 'absent' }
  if (!isJsonBody) return { kind: 'other', text: new TextDecoder().decode(bytes) }
  try {
    return { kind: 'json', text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch {
    return { kind: 'json', text: '' }
  }
}
