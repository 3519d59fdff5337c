import { Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import type { OrderDraft } from '../../../src/ports/order.ts'
import { responseSchema } from '../../../src/upstream/response-schema.ts'
import type { Rpc } from '../client/rpc.ts'
import { nullable, TrytonId } from '../client/tryton-values.ts'

const Kept = responseSchema(
  Type.Array(Type.Object({ id: TrytonId, resource: Type.String(), description: nullable(Type.String()) })),
)
const Anything = responseSchema(Type.Unknown())
const Amount = Type.String({ pattern: '^-?[0-9]+(\\.[0-9]+)?$' })
const Text = nullable(Type.String())
const Address = Type.Object({
  ...{
    line1: Type.String(),
    line2: Text,
    city: Type.String(),
    region: Text,
    postal_code: Text,
    country: Type.String(),
  },
})
const Taxed = Type.Object({ code: Type.String(), rate: Amount, amount: Amount })
/** As much of a draft as an order is made of. */
const Draft = responseSchema(
  Type.Object({
    ...{ reference: Type.String(), customer_id: Type.String() },
    ...{ payment_method: Type.String(), fulfillment_method: Type.String() },
    ...{ shipping_address: nullable(Address), billing_address: nullable(Address) },
    contact: nullable(Type.Object({ name: Text, phone: Text, email: Text })),
    ...{ po_number: Text, notes: Text, requested_date: Text },
    lines: Type.Array(
      Type.Object({
        ...{ sku: Type.String(), name: Type.String(), quantity: Amount, uom: Type.String() },
        ...{ order_uom: Text, order_quantity: nullable(Amount), unit_price: Amount },
        ...{ list_unit_price: nullable(Amount), discount: Amount, tax: Taxed, line_total: Amount },
      }),
    ),
    promotions: Type.Array(Type.Object({ code: Type.String(), description: Text, discount: Amount })),
    totals: Type.Object({
      ...{ subtotal: Amount, discount_total: Amount, tax_total: Amount, shipping_total: Amount, total: Amount },
      taxes: Type.Array(Type.Object({ ...Taxed.properties, name: Type.String(), base: Amount })),
      tax_included: Type.Boolean(),
    }),
  }),
)
const NAME = 'forecourt.json'
const OLDEST = [['id', 'ASC']]

/** What was ordered, in the shopper's words: Tryton has no place for most of it (contact, units, tax names). Attached to the sale. */
export async function attachDraft(rpc: Rpc, sale: number, draft: OrderDraft, call: Call): Promise<void> {
  const resource = `sale.sale,${sale}`
  // Nothing makes it unique: of two the older counts, and both say the same.
  const values = { name: NAME, type: 'link', resource, description: JSON.stringify(draft) }
  await rpc(Anything, 'ir.attachment.create', [[values]], call)
}

/** The drafts that sales were made of; `null` for one without, or whose text somebody changed, or that is another customer's now. */
export async function readAttachedDrafts(rpc: Rpc, sales: readonly number[], call: Call) {
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
  return ({ id, web_id, party }: { id: number; web_id: string | null; party: number }): OrderDraft | null => {
    const row = rows.find(({ resource }) => resource === `sale.sale,${id}`)
    const draft = row && parsed(row.description ?? '')
    return draft?.reference === web_id && draft?.customer_id === String(party) ? (draft ?? null) : null
  }
}

/** People can write there too. */
function parsed(text: string): OrderDraft | undefined {
  try {
    return Draft.parse(JSON.parse(text)) as unknown as OrderDraft
  } catch {
    return undefined
  }
}
