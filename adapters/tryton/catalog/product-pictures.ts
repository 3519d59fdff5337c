import { type Static, Type } from 'typebox'
import type { MerchantFacts } from '../../../src/ports/adapter.ts'
import type { Call } from '../../../src/ports/call.ts'
import type { ProductMedia } from '../../../src/ports/inventory.ts'
import { responseSchema } from '../../../src/upstream/response-schema.ts'
import { parseRows } from '../../parse-rows.ts'
import { isRejected } from '../accounting-context.ts'
import type { Rpc } from '../client/rpc.ts'
import { lastWrittenAtMs, nullable, TrytonId } from '../client/tryton-values.ts'
import { Attachment, attachmentFields, isPicture, pictureCandidatesDomain } from './picture-attachments.ts'
import { toPictureVersion } from './picture-content.ts'

const Shown = Type.Object({
  ...Attachment.properties,
  resource: Type.String(),
  description: Type.Optional(nullable(Type.String())),
})
type Shown = Static<typeof Shown>
const Rows = responseSchema(Type.Array(Type.Unknown()))
const Row = responseSchema(Shown)
/** A record of a SKU, which pictures hang on, and its template, whose pictures all of its variants share. */
export const PictureHolder = Type.Object({ id: TrytonId, 'template.': Type.Object({ id: TrytonId }) })
type PictureHolder = Static<typeof PictureHolder>

/** Of one product. */
const MOST = 20
/** Of a page of SKUs, with all that hangs there and is no picture; where there is more, the pictures are asked for alone. */
const MAX_ROWS = 2_000
const ALT = 300

/** What hangs on the records of some SKUs. */
export interface ProductPictures {
  /** In the order of their names: the first is the cover. */
  mediaOf(holder: PictureHolder): ProductMedia[]
  /** When something was last hung on one of these, or changed there: milliseconds since the epoch, or 0. */
  changedAt(holders: readonly PictureHolder[]): number
}

/**
 * Asks for the pictures of SKUs by their codes, so that it can be asked together with the products themselves.
 * `null`: this account may not see attachments. `prefix`: names of pictures begin with it.
 */
export function createProductPictureReader(rpc: Rpc, facts: MerchantFacts, prefix?: string) {
  return async (skus: readonly string[], call: Call): Promise<ProductPictures | null> => {
    const ofProduct = [['resource.code', 'in', skus, 'product.product']]
    const ofTemplate = [['resource.products.code', 'in', skus, 'product.template']]
    const order = [
      ['name', 'ASC'],
      ['id', 'ASC'],
    ]
    const fields = [...attachmentFields, 'resource', 'description']
    const hanging = ['OR', ofProduct, ofTemplate]
    const read = (domain: unknown[]) =>
      rpc(Rows, 'ir.attachment.search_read', [domain, 0, MAX_ROWS, order, fields], call)
    try {
      const rows = await read(hanging)
      // Cut off by name, a product would have other pictures with each page that it is on.
      const more = rows.length < MAX_ROWS ? [] : await read([hanging, pictureCandidatesDomain])
      return attached([...more, ...rows], facts, prefix)
    } catch (error) {
      if (isRejected(error)) return null
      throw error
    }
  }
}

function attached(rows: readonly unknown[], facts: MerchantFacts, prefix?: string): ProductPictures {
  const read = rows.length === 0 ? [] : parseRows(rows, Row, (row) => row)
  const found = [...new Map(read.map((row) => [row.id, row])).values()]
  const places = new Map(found.map((row, place) => [row.id, place]))
  const byResource = Map.groupBy(found, (row) => row.resource)
  const hangingOn = (holder: PictureHolder) =>
    [`product.product,${holder.id}`, `product.template,${holder['template.'].id}`]
      .flatMap((resource) => byResource.get(resource) ?? [])
      .sort((a, b) => places.get(a.id)! - places.get(b.id)!)
  return {
    mediaOf: (holder) =>
      hangingOn(holder)
        .filter((row) => isPicture(row, prefix))
        .slice(0, MOST)
        .map((row, at) => mediaOf(row, at, facts)),
    changedAt: (holders) => Math.max(0, ...holders.flatMap(hangingOn).map(lastWrittenAtMs)),
  }
}

function mediaOf(row: Shown, at: number, { pictureUrls }: MerchantFacts): ProductMedia {
  const source = String(row.id)
  const alt = row.description?.split('\n', 1)[0]?.trim().slice(0, ALT) || null
  const urls = pictureUrls({ source, version: toPictureVersion(row) })
  return { media_id: source, position: at + 1, alt, kind: 'IMAGE', width: null, height: null, ...urls }
}
