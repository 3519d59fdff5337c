import { type Static, Type } from 'typebox'
import type { MerchantFacts } from '../../../src/ports/adapter.ts'
import type { Call } from '../../../src/ports/call.ts'
import type { ProductMedia } from '../../../src/ports/inventory.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { parseRows } from '../../parse-rows.ts'
import type { Rpc } from '../client/rpc.ts'
import { isRejected } from '../client/rpc-errors.ts'
import { lastWrittenAtMs, nullable, TrytonId } from '../client/tryton-values.ts'
import { Attachment, attachmentFields, isPicture, pictureCandidatesDomain } from './picture-attachments.ts'
import { toPictureVersion } from './picture-reader.ts'

const PictureRow = Type.Object({
  ...Attachment.properties,
  resource: Type.String(),
  description: Type.Optional(nullable(Type.String())),
})
type PictureRow = Static<typeof PictureRow>
const Rows = responseSchema(Type.Array(Type.Unknown()))
const Row = responseSchema(PictureRow)
/** A product record and its template, whose pictures all of its variants share. */
export const PictureHolder = Type.Object({ id: TrytonId, 'template.': Type.Object({ id: TrytonId }) })
type PictureHolder = Static<typeof PictureHolder>
const Holders = responseSchema(Type.Array(PictureHolder))

/** The maximum number of pictures of one product. */
const MAX_PICTURES = 20
/** The maximum number of attachments of a page of SKUs, pictures or not; beyond it the pictures are read separately. */
const MAX_ROWS = 2_000
const MAX_ALT_LENGTH = 300

/** The attachments of some products. */
export interface ProductPictures {
  /** The pictures by name: the first one is the cover. */
  mediaOf(holder: PictureHolder): ProductMedia[]
  /** The time in milliseconds of the last change to an attachment of these products; 0 where the change feed cannot find it. */
  lastChangedAtMs(holders: readonly PictureHolder[]): number
}

/** A domain of the attachments of SKUs, by their codes. */
const attachedToCodes = (skus: readonly string[]): unknown[] => [
  'OR',
  [['resource.code', 'in', skus, 'product.product']],
  [['resource.products.code', 'in', skus, 'product.template']],
]

/** A domain of the attachments of SKUs, by their records: it takes another call. */
async function attachedToRecords(rpc: Rpc, skus: readonly string[], call: Call): Promise<unknown[]> {
  const domain = [
    ['code', 'in', skus],
    ['active', 'in', [true, false]],
  ]
  const params = [domain, 0, null, [['id', 'ASC']], ['template.id']]
  const holders = await rpc(Holders, 'product.product.search_read', params, call)
  const resources = holders.flatMap((holder) => [
    `product.product,${holder.id}`,
    `product.template,${holder['template.'].id}`,
  ])
  return [['resource', 'in', [...new Set(resources)]]]
}

/**
 * Returns a function that reads the pictures of SKUs by code, so that it runs in parallel with the read of the
 * products. From 8.2 on, Tryton lets only administrators search attachments by anything but their records. It returns
 * `null` when the account may not read attachments. Names of pictures start with `prefix`.
 */
export function createProductPictureReader(rpc: Rpc, facts: MerchantFacts, prefix?: string) {
  let searchesByRecord = false
  return async (skus: readonly string[], call: Call): Promise<ProductPictures | null> => {
    const sortOrder = [
      ['name', 'ASC'],
      ['id', 'ASC'],
    ]
    const fields = [...attachmentFields, 'resource', 'description']
    const search = (domain: unknown[]) =>
      rpc(Rows, 'ir.attachment.search_read', [domain, 0, MAX_ROWS, sortOrder, fields], call)
    const read = async (attachedDomain: unknown[]) => {
      const rows = await search(attachedDomain)
      // With a truncated list, the pictures of a product would depend on the page that it is on.
      const pictures = rows.length < MAX_ROWS ? [] : await search([attachedDomain, pictureCandidatesDomain])
      return toProductPictures([...pictures, ...rows], facts, prefix)
    }
    const readByRecord = async () => ({
      ...(await read(await attachedToRecords(rpc, skus, call))),
      lastChangedAtMs: () => 0,
    })
    try {
      if (searchesByRecord) return await readByRecord()
      const byCode = await read(attachedToCodes(skus)).catch(nullWhenRejected)
      if (byCode !== null) return byCode
      const byRecord = await readByRecord()
      searchesByRecord = true
      return byRecord
    } catch (error) {
      return nullWhenRejected(error)
    }
  }
}

function nullWhenRejected(error: unknown): null {
  if (isRejected(error)) return null
  throw error
}

function toProductPictures(rows: readonly unknown[], facts: MerchantFacts, prefix?: string): ProductPictures {
  const read = rows.length === 0 ? [] : parseRows(rows, Row, (row) => row)
  const attachments = [...new Map(read.map((row) => [row.id, row])).values()]
  const order = new Map(attachments.map((row, index) => [row.id, index]))
  const byResource = Map.groupBy(attachments, (row) => row.resource)
  const attachmentsOf = (holder: PictureHolder) =>
    [`product.product,${holder.id}`, `product.template,${holder['template.'].id}`]
      .flatMap((resource) => byResource.get(resource) ?? [])
      .sort((a, b) => order.get(a.id)! - order.get(b.id)!)
  return {
    mediaOf: (holder) =>
      attachmentsOf(holder)
        .filter((row) => isPicture(row, prefix))
        .slice(0, MAX_PICTURES)
        .map((row, index) => toProductMedia(row, index, facts)),
    lastChangedAtMs: (holders) => Math.max(0, ...holders.flatMap(attachmentsOf).map(lastWrittenAtMs)),
  }
}

function toProductMedia(row: PictureRow, index: number, { pictureUrls }: MerchantFacts): ProductMedia {
  const source = String(row.id)
  const alt = row.description?.split('\n', 1)[0]?.trim().slice(0, MAX_ALT_LENGTH) || null
  const urls = pictureUrls({ source, version: toPictureVersion(row) })
  return { media_id: source, position: index + 1, alt, kind: 'IMAGE', width: null, height: null, ...urls }
}
