import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Context, Middleware } from 'koa'
import { koaBody } from 'koa-body'
import { Problem } from '../../errors.ts'
import { endWithoutResponse } from '../responses/end-without-response.ts'
import { type BodyBudget, createBodyBudget } from './body-budget.ts'
import { type CollectOptions, collectBytes } from './collect-bytes.ts'
import { createTooLargeError } from './too-large-error.ts'

/** A body as text, before parsing. JSON that is not UTF-8 is the empty text. */
export type UnparsedBody = { kind: 'absent' } | { kind: 'json'; text: string } | { kind: 'other'; text: string }

export interface BodyState {
  body: UnparsedBody
}

const EMPTY = Buffer.alloc(0)
const DECOMPRESSORS = { gzip: createGunzip, 'x-gzip': createGunzip, deflate: createInflate, br: createBrotliDecompress }
/** The state of a decompressor, before it has read anything. */
const DECOMPRESSOR_BYTES = 65_536
/** One for the process, whose memory all listeners share. */
const processBudget = createBodyBudget()
/** Signed bodies are read before their sender is known, so they must not take the memory of others. */
const signedBudget = createBodyBudget(4 * 1_024 * 1_024)

export interface BodyLimits {
  /** In bytes, after decompression. */
  limit: number
  budget?: BodyBudget
}

/**
 * Leaves the body's text, unparsed, in `ctx.state.body`. Throws Problem `payload_too_large`, `overloaded` when too many bodies arrive at
 * once, and `unsupported_media_type` for an unknown or wrong Content-Encoding.
 * When the client disconnects while sending, there is no response, and no later middleware runs.
 */
export function readBody({ limit, budget = processBudget }: BodyLimits): Middleware<BodyState> {
  return async (ctx, next) => {
    const bytes = await readBytes(ctx, toDecompressor(ctx), { limit, budget })
    if (bytes === null) return endWithoutResponse(ctx)
    ctx.state.body = await toUnparsedBody(bytes, isJson(ctx.headers['content-type']))
    await next()
  }
}

/** Reads the bytes of a body as they were sent, for a signature over them. Returns `null` when the client disconnects. */
export const readRawBody = ({ req }: Pick<Context, 'req'>, limit: number): Promise<Buffer | null> =>
  readBytes({ req }, null, { limit, budget: signedBudget })

type Decompressor = ReturnType<(typeof DECOMPRESSORS)[keyof typeof DECOMPRESSORS]>

async function readBytes(
  { req }: Pick<Context, 'req'>,
  createDecompressor: (() => Decompressor) | null,
  { limit, budget }: Required<BodyLimits>,
): Promise<Buffer | null> {
  const { 'content-length': announced, 'transfer-encoding': chunked } = req.headers
  const length = announced === undefined ? undefined : Number(announced)
  if (length !== undefined && length > limit) {
    discard(req)
    throw createTooLargeError(limit)
  }
  if (length === 0 || (length === undefined && chunked === undefined)) return EMPTY
  if (!createDecompressor) return collect(req, req, { limit, length, overheadBytes: 0, budget })
  const decompressor = createDecompressor()
  // stream.pipeline would destroy the request on broken input, and with it the socket for the response.
  req.once('close', () => req.complete || decompressor.destroy(new Error('The client disconnected')))
  try {
    const options = { limit, length: undefined, overheadBytes: DECOMPRESSOR_BYTES, budget }
    return await collect(req, req.pipe(decompressor), options)
  } finally {
    decompressor.destroy()
  }
}

function toDecompressor({ req }: Context): (() => Decompressor) | null {
  const encoding = req.headers['content-encoding']?.trim().toLowerCase() || 'identity'
  if (encoding === 'identity') return null
  if (!Object.hasOwn(DECOMPRESSORS, encoding)) throw new Problem('unsupported_media_type')
  return DECOMPRESSORS[encoding as keyof typeof DECOMPRESSORS]
}

async function collect(req: IncomingMessage, stream: Readable, options: CollectOptions): Promise<Buffer | null> {
  try {
    return await collectBytes(stream, options)
  } catch (cause) {
    if (cause instanceof Problem) {
      if (cause.code === 'payload_too_large') discard(req)
      throw cause
    }
    const { code = '' } = cause as NodeJS.ErrnoException
    if (/^(?:Z_|ERR_BROTLI|ERR__)/.test(code)) {
      const detail = 'The request body does not match its Content-Encoding.'
      throw new Problem('unsupported_media_type', detail, { cause })
    }
    if (isClientGone({ req })) return null
    throw cause
  }
}

/**
 * Receives the rest of a body without keeping it, until the request's timeout. A proxy that is still sending would not see the response on a
 * connection that was closed (RFC 9112, 9.6), and would respond with 502 instead.
 */
const discard = (req: IncomingMessage): void => void req.unpipe().resume()

/** Returns true when the client left before its request was read. Koa reports such a connection to `app.on('error')`; it is not an error of ours. */
export function isClientGone({ req }: Pick<Context, 'req'>): boolean {
  return !req.complete || req.errored !== null
}

/** Returns true for `application/json`, and for an application type with the suffix `+json` (RFC 6838). */
function isJson(type: string | undefined): boolean {
  return /^application\/(?:json|[^\s;/]+\+json)$/.test(type?.split(';', 1)[0]?.trim().toLowerCase() ?? '')
}

/** Bytes that are not UTF-8 become the empty text, which is invalid JSON from its first character. */
async function toUnparsedBody(bytes: Buffer, isJsonBody: boolean): Promise<UnparsedBody> {
  if (bytes.length === 0) return { kind: 'absent' }
  if (!isJsonBody) return { kind: 'other', text: await toText(bytes) }
  return { kind: 'json', text: isUtf8(bytes) ? await toText(bytes) : '' }
}

const parseText = koaBody({ json: false, urlencoded: false, textLimit: Number.MAX_SAFE_INTEGER })

/** koa-body would read the request itself without a budget, and skip a body without a content type: so it gets a context of its own. */
async function toText(bytes: Buffer): Promise<string> {
  const request: { body?: string } = {}
  const req = Object.assign(Readable.from([bytes], { objectMode: false }), { headers: {} })
  await parseText({ method: 'POST', is: () => 'text', req, request } as never, async () => {})
  return request.body ?? ''
}
