import { UpstreamError } from '../../src/errors.ts'
import type { Call } from '../../src/ports/call.ts'
import type { Picture } from '../../src/ports/picture.ts'
import type { ProtocolClient } from './protocol-client.ts'

/** Returns true when a media_id can be a path segment: `.` and `..` would change the path, and a lone surrogate cannot be encoded. */
export const isPictureSource = (id: string) =>
  id.length >= 1 && id.length <= 200 && id !== '.' && id !== '..' && id.isWellFormed()

/** Returns a function that reads the original of a picture with a content_id. */
export function createPictureReader(protocol: ProtocolClient): (source: string, call: Call) => Promise<Picture | null> {
  return async (source, call) => {
    if (!isPictureSource(source)) return null
    const path = `/media/${encodeURIComponent(source)}/content`
    const response = await protocol.bytes({ method: 'GET', path }, call)
    if (!response) return null
    const [, version] = /^(?:W\/)?"([^"]+)"$/.exec(String(response.headers.etag ?? '')) ?? []
    // Without a version, other bytes could be served under the URL of these.
    if (!version) throw new UpstreamError('invalid', `GET ${path} responded without an ETag`)
    return { version, bytes: response.bytes }
  }
}
