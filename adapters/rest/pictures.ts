import { UpstreamError } from '../../src/errors.ts'
import type { Call } from '../../src/ports/call.ts'
import type { Picture } from '../../src/ports/picture.ts'
import type { ProtocolClient } from './protocol.ts'

/** Whether a media_id may stand in a path: a dot or two would lead elsewhere, and half a character can be written in none. */
export const isPictureSource = (id: string) =>
  id.length >= 1 && id.length <= 200 && id !== '.' && id !== '..' && id.isWellFormed()

/** The original of a picture that the system told a content_id of. */
export function createPictureReader(wire: ProtocolClient): (source: string, call: Call) => Promise<Picture | null> {
  return async (source, call) => {
    if (!isPictureSource(source)) return null
    const path = `/media/${encodeURIComponent(source)}/content`
    const answer = await wire.bytes({ method: 'GET', path }, call)
    if (!answer) return null
    const [, version] = /^(?:W\/)?"([^"]+)"$/.exec(String(answer.headers.etag ?? '')) ?? []
    // Without it other bytes could be served under an address that stands for these.
    if (!version) throw new UpstreamError('invalid', `GET ${path} answered without an ETag`)
    return { version, bytes: answer.bytes }
  }
}
