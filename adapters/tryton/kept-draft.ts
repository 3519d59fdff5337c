import { Type } from 'typebox'
import type { Call } from '../../src/ports/call.ts'
import type { OrderDraft } from '../../src/ports/order.ts'
import { shape } from '../../src/upstream/shape.ts'
import type { Rpc } from './rpc.ts'
import { nullable, TrytonId } from './values.ts'

const Kept = shape(
  Type.Array(Type.Object({ id: TrytonId, resource: Type.String(), description: nullable(Type.String()) })),
)
const Anything = shape(Type.Unknown())
const NAME = 'forecourt.json'
const OLDEST = [['id', 'ASC']]

/** What was ordered, in the shopper's words: Tryton has no place for most of it (contact, units, tax names). Attached to the sale. */
export async function keepDraft(rpc: Rpc, sale: number, draft: OrderDraft, call: Call): Promise<void> {
  const resource = `sale.sale,${sale}`
  // Nothing makes it unique: of two the older counts, and both say the same.
  const values = { name: NAME, type: 'link', resource, description: JSON.stringify(draft) }
  await rpc(Anything, 'ir.attachment.create', [[values]], call)
}

/** The drafts that sales were made of; `null` for one without, or whose text somebody changed. */
export async function readDrafts(rpc: Rpc, sales: readonly number[], call: Call) {
  const domain = [
    ['resource', 'in', sales.map((id) => `sale.sale,${id}`)],
    ['name', '=', NAME],
  ]
  const rows = await rpc(
    Kept,
    'ir.attachment.search_read',
    [domain, 0, null, OLDEST, ['resource', 'description']],
    call,
  )
  return ({ id, web_id }: { id: number; web_id: string | null }): OrderDraft | null => {
    const row = rows.find(({ resource }) => resource === `sale.sale,${id}`)
    const draft = row && parsed(row.description ?? '')
    return draft?.reference === web_id ? (draft ?? null) : null
  }
}

function parsed(text: string): OrderDraft | undefined {
  try {
    return (JSON.parse(text) as OrderDraft | null) ?? undefined
  } catch {
    return undefined
  }
}
