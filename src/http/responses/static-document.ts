import type { Context } from 'koa'
import {
  type ContentCoding,
  compressRepresentation,
  identityRepresentation,
  type Representation,
} from '../../cache/representation.ts'
import { isNotModified } from './if-none-match.ts'
import { negotiateEncoding } from './negotiate-encoding.ts'
import { sendResponse } from './send-response.ts'

/** A response that stays the same while the process runs. All clients share its bytes in memory. */
export interface StaticDocument {
  contentType: string
  cacheControl: string
  /** Each coding is created for the first client that prefers it. */
  inCoding(coding: ContentCoding): Promise<Representation>
}

export function createStaticDocument(
  body: string | Buffer,
  headers: Pick<StaticDocument, 'contentType' | 'cacheControl'>,
): StaticDocument {
  const plain = identityRepresentation(Buffer.from(body))
  const codings = new Map<ContentCoding, Promise<Representation>>([['identity', Promise.resolve(plain)]])
  return {
    ...headers,
    inCoding(coding) {
      const known = codings.get(coding)
      if (known || coding === 'identity') return known ?? Promise.resolve(plain)
      const compressed = compressRepresentation(plain, coding).then((smaller) => smaller ?? plain)
      codings.set(coding, compressed)
      return compressed
    },
  }
}

/** Sends a static document in the coding that the client prefers, or 304. */
export async function sendStaticDocument(
  ctx: Pick<Context, 'status' | 'body' | 'set' | 'vary' | 'req'>,
  { contentType, cacheControl, inCoding }: StaticDocument,
): Promise<void> {
  const { headers } = ctx.req
  const { body, coding, etag } = await inCoding(negotiateEncoding(headers['accept-encoding']))
  ctx.vary('Accept-Encoding')
  if (isNotModified(headers['if-none-match'], etag))
    return sendResponse(ctx, { status: 304, body: null, cacheControl, headers: { ETag: etag } })
  const encoded = coding === 'identity' ? { ETag: etag } : { ETag: etag, 'Content-Encoding': coding }
  sendResponse(ctx, { status: 200, body, contentType, cacheControl, headers: encoded })
}
