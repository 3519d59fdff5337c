import { type Static, Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { type ChangeStamp, latestStampPerId } from '../../change-feed.ts'
import { changedSinceDomain } from '../client/changed-since-domain.ts'
import type { Rpc } from '../client/rpc.ts'
import { isRejected } from '../client/rpc-errors.ts'
import { lastWrittenAtMs, TrytonId, timestampFields } from '../client/tryton-values.ts'
import { productAttachmentsDomain } from './picture-attachments.ts'
import { hasSkuDomain } from './search-domain.ts'

const AttachmentStamp = Type.Object({ id: TrytonId, resource: Type.String(), ...timestampFields })
type AttachmentStamp = Static<typeof AttachmentStamp>
const AttachmentStampRows = responseSchema(Type.Array(AttachmentStamp))
const ProductRows = responseSchema(
  Type.Array(Type.Object({ id: TrytonId, code: Type.String(), 'template.': Type.Object({ id: TrytonId }) })),
)
const FIELDS = ['resource', 'create_date', 'write_date']
/** Within an OR, Tryton adds its own filter for active records again. */
const INCLUDE_INACTIVE = { active_test: false }
const PAGE_SIZE = 5_000
/** A read of more rows fails with `overloaded`. Products may have several pictures each. */
const MAX_ROWS = 500_000

/** Reads the SKUs with an attachment that was added or changed since a time. A removed picture leaves no trace: see docs/media.md. */
export async function readPictureChanges(
  rpc: Rpc,
  since: number,
  filters: unknown[],
  call: Call,
): Promise<ChangeStamp<string>[]> {
  const stamps: ChangeStamp<string>[] = []
  let afterId = 0
  for (let offset = 0; offset < MAX_ROWS; offset += PAGE_SIZE) {
    const attachments = await readAttachmentsSince(rpc, since, afterId, call)
    for (const stamp of await findChangedSkus(rpc, attachments, filters, call)) stamps.push(stamp)
    if (attachments.length < PAGE_SIZE) return latestStampPerId(stamps)
    afterId = attachments.at(-1)!.id
  }
  throw new UpstreamError('overloaded', `over ${MAX_ROWS} pictures changed since then`)
}

/** Reads one page of attachments: all attachments of a large shop would exceed the response size limit. */
async function readAttachmentsSince(rpc: Rpc, since: number, afterId: number, call: Call): Promise<AttachmentStamp[]> {
  const domain = [productAttachmentsDomain, changedSinceDomain(since, ''), ['id', '>', afterId]]
  try {
    return await rpc(
      AttachmentStampRows,
      'ir.attachment.search_read',
      [domain, 0, PAGE_SIZE, [['id', 'ASC']], FIELDS],
      call,
    )
  } catch (error) {
    if (isRejected(error)) return []
    throw error
  }
}

/** Returns the SKUs of the products that these attachments belong to, each with the time of the attachment. */
async function findChangedSkus(
  rpc: Rpc,
  attachments: readonly AttachmentStamp[],
  filters: unknown[],
  call: Call,
): Promise<ChangeStamp<string>[]> {
  if (attachments.length === 0) return []
  const times = latestStampPerId(attachments.map((row) => ({ id: row.resource, at: lastWrittenAtMs(row) })))
  const timeByResource = new Map(times.map((stamp) => [stamp.id, stamp.at]))
  const idsOfModel = (model: string) =>
    times.flatMap(({ id }) => (id.startsWith(`${model},`) ? Number(id.slice(model.length + 1)) : []))
  const holderDomain = [
    'OR',
    [['id', 'in', idsOfModel('product.product')]],
    [['template', 'in', idsOfModel('product.template')]],
  ]
  const params = [[...hasSkuDomain, holderDomain, ...filters], 0, null, [['id', 'ASC']], ['code', 'template.active']]
  const rows = await rpc(ProductRows, 'product.product.search_read', params, call, INCLUDE_INACTIVE)
  return rows.flatMap((row) =>
    [`product.product,${row.id}`, `product.template,${row['template.'].id}`].flatMap((resource) => {
      const time = timeByResource.get(resource)
      return time === undefined ? [] : [{ id: row.code, at: time }]
    }),
  )
}
