import { Type } from 'typebox'
import { foundShape, type Rpc } from '../../../adapters/odoo/client/rpc.ts'
import type { ForecourtProcess } from './forecourt-process.ts'
import { createCallWithLongDeadline } from './long-deadline-call.ts'
import { type ComparedSale, compareSales } from './order-comparison.ts'

const Sales = foundShape(
  Type.Object({
    id: Type.Integer(),
    origin: Type.Union([Type.String(), Type.Literal(false)]),
    partner_id: Type.Integer(),
    state: Type.String(),
    amount_total: Type.Number(),
    picking_ids: Type.Array(Type.Integer()),
    invoice_ids: Type.Array(Type.Integer()),
  }),
)
const specification = Object.fromEntries(
  ['origin', 'partner_id', 'state', 'amount_total', 'picking_ids', 'invoice_ids'].map((field) => [field, {}]),
)
/** The states of a sale as Tryton names them. */
const STATES: Record<string, string> = { sale: 'processing', cancel: 'cancelled' }

/** Compares the orders of customers with all of their sale orders in Odoo. */
export async function compareOdooOrders(shop: ForecourtProcess, rpc: Rpc, customers: readonly string[]) {
  const domain = [['partner_id', 'in', customers.map(Number)]]
  const { records } = await rpc.search(Sales, 'sale.order', { domain, specification }, createCallWithLongDeadline())
  const sales = records.map(
    (row): ComparedSale => ({
      web_id: row.origin ? row.origin.split(' ')[1]! : null,
      party: row.partner_id,
      state: STATES[row.state] ?? row.state,
      total_amount: { decimal: row.amount_total.toFixed(2) },
      shipments: row.picking_ids,
      invoices: row.invoice_ids,
    }),
  )
  return compareSales(shop, customers, sales)
}
