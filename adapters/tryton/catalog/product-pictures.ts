import { type Static, Type } from 'typebox'
import type { MerchantFacts } from '../../../src/ports/adapter.ts'
import type { Call } from '../../../src/ports/call.ts'
import type { Media } from '../../../src/ports/inventory.ts'
import { shape } from '../../../src/upstream/response-schema.ts'
import { readable } from '../../parse-rows.ts'
import { Attachment, attachmentFields, isPicture, perhapsPictures } from './picture-attachments.ts'
import { isRefused } from '../accounting-context.ts'
import { versionOf } from './picture-content.ts'
import type { Rpc } from '../client/rpc.ts'
import { nullable, TrytonId, writtenAt } from '../client/tryton-values.ts'

const Shown = Type.Object({
  ...Attachment.properties,
  resource: Type.String(),
  description: Type.Optional(nullable(Type.String())),
})
type Shown = Static<typeof Shown>
const Rows = shape(Type.Array(Type.Unknown()))
const Row = shape(Shown)
/** A record of a SKU, which pictures hang on, and its template, whose pictures all of its variants share. */
export const Holder = Type.Object({ id: TrytonId, 'template.': Type.Object({ id: TrytonId }) })
type Holder = Static<typeof Holder>

/** Of one product. */
const MOST = 20
/** Of a page of SKUs, with all that hangs there and is no picture; where there is more, the pictures are asked for alone. */
const MAX_ROWS = 2_000
const ALT = 300

/** What hangs on the records of some SKUs. */
export interface Attached {
  /** In the order of their names: the first is the cover. */
  mediaOf(holder: Holder): Media[]
  /** When something was last hung on one of these, or changed there: milliseconds since the epoch, or 0. */
  changedAt(holders: readonly Holder[]): number
}

/**
 * Asks for the pictures of SKUs by their codes, so that it can be asked together with the products themselves.
 * `null`: this account may not see attachments. `prefix`: names of pictures begin with it.
 */
export function attachedReader(rpc: Rpc, facts: MerchantFacts, prefix?: string) {
  return async (skus: readonly string[], call: Call): Promise<Attached | null> => {
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
      const more = rows.length < MAX_ROWS ? [] : await read([hanging, perhapsPictures])
      return attached([...more, ...rows], facts, prefix)
    } catch (error) {
      if (isRefused(error)) return null
      throw error
    }
  }
}

function attached(rows: readonly unknown[], facts: MerchantFacts, prefix?: string): Attached {
  const read = rows.length === 0 ? [] : readable(rows, Row, (row) => row)
  const found = [...new Map(read.map((row) => [row.id, row])).values()]
  const places = new Map(found.map((row, place) => [row.id, place]))
  const byResource = Map.groupBy(found, (row) => row.resource)
  const hangingOn = (holder: Holder) =>
    [`product.product,${holder.id}`, `product.template,${holder['template.'].id}`]
      .flatMap((resource) => byResource.get(resource) ?? [])
      .sort((a, b) => places.get(a.id)! - places.get(b.id)!)
  return {
    mediaOf: (holder) =>
      hangingOn(holder)
        .filter((row) => isPicture(row, prefix))
        .slice(0, MOST)
        .map((row, at) => mediaOf(row, at, facts)),
    changedAt: (holders) => Math.max(0, ...holders.flatMap(hangingOn).map(writtenAt)),
  }
}

function mediaOf(row: Shown, at: number, { pictureUrls }: MerchantFacts): Media {
  const source = String(row.id)
  const alt = row.description?.split('\n', 1)[0]?.trim().slice(0, ALT) || null
  const urls = pictureUrls({ source, version: versionOf(row) })
  return { media_id: source, position: at + 1, alt, kind: 'IMAGE', width: null, height: null, ...urls }
}
