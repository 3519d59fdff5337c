import { hash } from 'node:crypto'
import { Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import type { Picture } from '../../../src/ports/picture.ts'
import { responseSchema } from '../../../src/upstream/response-schema.ts'
import type { Rpc } from '../client/rpc.ts'
import { lastWrittenAtMs, nullable, parseRecordId } from '../client/tryton-values.ts'
import { Attachment, attachmentFields, isPicture, productAttachmentsDomain } from './picture-attachments.ts'

const AttachmentWithData = Type.Object({
  ...Attachment.properties,
  data: nullable(Type.Object({ base64: Type.String() })),
})
const Rows = responseSchema(Type.Array(AttachmentWithData))

/**
 * Returns the digest of the content when Tryton has one, otherwise a hash of the fields that change with it. The target
 * of a link may change unnoticed.
 */
export function toPictureVersion(row: Attachment): string {
  if (row.type === 'data' && row.file_id) return row.file_id
  const identity = JSON.stringify([row.id, row.type, row.link, lastWrittenAtMs(row)])
  return hash('sha256', identity).slice(0, 32)
}

/** Returns a function that reads one picture of a product or template with its content, when its name starts with the prefix. */
export function createPictureReader(
  rpc: Rpc,
  prefix?: string,
): (source: string, call: Call) => Promise<Picture | null> {
  return async (source, call) => {
    const id = parseRecordId(source)
    if (id === null) return null
    const params = [[['id', '=', id], productAttachmentsDomain], 0, 1, null, [...attachmentFields, 'data']]
    const [row] = await rpc(Rows, 'ir.attachment.search_read', params, call)
    if (!row || !isPicture(row, prefix)) return null
    const version = toPictureVersion(row)
    if (row.type === 'link') return { version, url: row.link! }
    return row.data && { version, bytes: Buffer.from(row.data.base64, 'base64') }
  }
}
