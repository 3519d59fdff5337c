import { hash } from 'node:crypto'
import { type Static, Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import type { Picture } from '../../../src/ports/picture.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import type { Rpc } from '../client/rpc.ts'
import { TrytonUserError } from '../client/rpc-errors.ts'
import { lastWrittenAtMs, nullable, parseRecordId } from '../client/tryton-values.ts'
import { Attachment, attachmentFields, isPicture, productAttachmentsDomain } from './picture-attachments.ts'

const AttachmentWithData = Type.Object({
  ...Attachment.properties,
  resource: Type.Optional(Type.String()),
  data: nullable(Type.Object({ base64: Type.String() })),
})
type AttachmentWithData = Static<typeof AttachmentWithData>
const PRODUCT_RESOURCE = /^product\.(?:product|template),/
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

/** Reads an attachment of a product or template. From 8.2 on, Tryton lets only administrators search for it, not read it. */
async function readProductAttachment(rpc: Rpc, id: number, call: Call): Promise<AttachmentWithData | undefined> {
  const fields = [...attachmentFields, 'data']
  const params = [[['id', '=', id], productAttachmentsDomain], 0, 1, null, fields]
  try {
    return (await rpc(Rows, 'ir.attachment.search_read', params, call))[0]
  } catch (error) {
    if (!(error instanceof TrytonUserError)) throw error
  }
  try {
    const [row] = await rpc(Rows, 'ir.attachment.read', [[id], [...fields, 'resource']], call)
    return row && PRODUCT_RESOURCE.test(row.resource ?? '') ? row : undefined
  } catch (error) {
    // It was deleted, or the account may not read it.
    if (error instanceof TrytonUserError) return undefined
    throw error
  }
}

/** Returns a function that reads one picture of a product or template with its content, when its name starts with the prefix. */
export function createPictureReader(
  rpc: Rpc,
  prefix?: string,
): (source: string, call: Call) => Promise<Picture | null> {
  return async (source, call) => {
    const id = parseRecordId(source)
    if (id === null) return null
    const row = await readProductAttachment(rpc, id, call)
    if (!row || !isPicture(row, prefix)) return null
    const version = toPictureVersion(row)
    if (row.type === 'link') return { version, url: row.link! }
    return row.data && { version, bytes: Buffer.from(row.data.base64, 'base64') }
  }
}
