import { Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import type { OrderDraft } from '../../../src/ports/order.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { StoredOrderDraft } from '../../stored-order-draft.ts'
import type { Rpc } from '../client/rpc.ts'
import { nullable, TrytonId } from '../client/tryton-values.ts'

const AttachmentRows = responseSchema(
  Type.Array(Type.Object({ id: TrytonId, resource: Type.String(), description: nullable(Type.String()) })),
)
const AnyResult = responseSchema(Type.Unknown())
const Draft = responseSchema(StoredOrderDraft)
const ATTACHMENT_NAME = 'forecourt.json'
const OLDEST_FIRST = [['id', 'ASC']]

/** Attaches the draft to its sale: Tryton has no fields for most of it (contact, units, tax names). */
export async function attachDraft(rpc: Rpc, sale: number, draft: OrderDraft, call: Call): Promise<void> {
  const resource = `sale.sale,${sale}`
  // An attachment is not unique: of two, the older one counts, and both are equal.
  const values = { name: ATTACHMENT_NAME, type: 'link', resource, description: JSON.stringify(draft) }
  await rpc(AnyResult, 'ir.attachment.create', [[values]], call)
}

/**
 * Returns a function that finds the draft of a sale; `null` when there is none, it was edited, or the sale belongs to
 * another customer now.
 */
export async function readAttachedDrafts(rpc: Rpc, sales: readonly number[], call: Call) {
  const domain = [
    ['resource', 'in', sales.map((id) => `sale.sale,${id}`)],
    ['name', '=', ATTACHMENT_NAME],
  ]
  const rows = await rpc(
    AttachmentRows,
    'ir.attachment.search_read',
    [domain, 0, null, OLDEST_FIRST, ['resource', 'description']],
    call,
  )
  return ({ id, web_id, party }: { id: number; web_id: string | null; party: number }): OrderDraft | null => {
    const row = rows.find(({ resource }) => resource === `sale.sale,${id}`)
    const draft = row && parseDraft(row.description ?? '')
    return draft?.reference === web_id && draft?.customer_id === String(party) ? (draft ?? null) : null
  }
}

/** Parses the description of an attachment, which users of Tryton can edit. */
function parseDraft(text: string): OrderDraft | undefined {
  try {
    return Draft.parse(JSON.parse(text)) as unknown as OrderDraft
  } catch {
    return undefined
  }
}
