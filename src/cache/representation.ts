import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

export type ContentCoding = 'br' | 'gzip' | 'identity'

/** The bytes of a response in one content coding, with their own strong ETag (RFC 9110, section 8.8.3). */
export interface Representation {
  coding: ContentCoding
  /** A short uncompressed body is a string, which Node writes faster than a buffer. A large one is a buffer, which all responses share. */
  body: string | Buffer
  bytes: number
  etag: string
  /** How Node writes a string: ASCII text as `latin1` is not transcoded. */
  encoding: 'latin1' | 'utf8'
}

/** Smaller bodies gain less from compression than its headers cost. */
const MIN_COMPRESSED_BYTES = 860

const MAX_STRING_BYTES = 16_384

const deflate = promisify(gzip)
const brotli = promisify(brotliCompress)

export function identityRepresentation(content: string | Buffer): Representation {
  const bytes = Buffer.byteLength(content)
  // A buffer is encoded once, for the response and for its ETag.
  const body = typeof content === 'string' && bytes > MAX_STRING_BYTES ? Buffer.from(content) : content
  return {
    coding: 'identity',
    body,
    bytes,
    etag: etagOf(body),
    encoding: bytes === content.length ? 'latin1' : 'utf8',
  }
}

/** Compresses off the event loop; `null`: the body is too small to gain. */
export async function compressRepresentation(
  { body, bytes }: Representation,
  coding: Exclude<ContentCoding, 'identity'>,
): Promise<Representation | null> {
  if (bytes < MIN_COMPRESSED_BYTES) return null
  const code =
    coding === 'gzip' ? deflate(body, { level: 6 }) : brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
  const coded = await code
  return { coding, body: coded, bytes: coded.byteLength, etag: etagOf(coded), encoding: 'utf8' }
}

const etagOf = (bytes: string | Uint8Array): string => `"${hash('sha256', bytes, 'base64url')}"`
