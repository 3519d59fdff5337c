import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

export type ContentCoding = 'br' | 'gzip' | 'identity'

/** The bytes of an answer in one content-coding, under a strong ETag of their own (RFC 9110, 8.8.3). */
export interface Representation {
  coding: ContentCoding
  /** Text where it is sent as it is: Node writes a short string faster than a buffer. */
  body: string | Uint8Array
  bytes: number
  etag: string
  /** How a text is written: one that is ASCII alone goes out as it lies in memory, without being transcoded. */
  encoding: 'latin1' | 'utf8'
}

/** Below this many bytes a coding saves less than its headers cost. */
const WORTH_COMPRESSING = 860

const deflate = promisify(gzip)
const brotli = promisify(brotliCompress)

export function identityRepresentation(text: string): Representation {
  const bytes = Buffer.byteLength(text)
  return {
    coding: 'identity',
    body: text,
    bytes,
    etag: etagOf(text),
    encoding: bytes === text.length ? 'latin1' : 'utf8',
  }
}

/** Compresses off the event loop; `null` when the answer is too small to gain. */
export async function compressRepresentation(
  { body, bytes }: Representation,
  coding: Exclude<ContentCoding, 'identity'>,
): Promise<Representation | null> {
  if (bytes < WORTH_COMPRESSING) return null
  const code =
    coding === 'gzip' ? deflate(body, { level: 6 }) : brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
  const coded = await code
  return { coding, body: coded, bytes: coded.byteLength, etag: etagOf(coded), encoding: 'utf8' }
}

const etagOf = (bytes: string | Uint8Array): string => `"${hash('sha256', bytes, 'base64url')}"`
