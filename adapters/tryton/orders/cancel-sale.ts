import { Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/response-schema.ts'
import type { Rpc } from '../client/rpc.ts'
import { nullable, TrytonId } from '../client/tryton-values.ts'
import type { OrderRecords } from './order-records.ts'

const Anything = responseSchema(Type.Unknown())
const Sales = responseSchema(Type.Array(Type.Object({ sale: nullable(TrytonId) })))
const Session = responseSchema(Type.Tuple([Type.Integer(), Type.String(), Type.String()]))

/**
 * Takes back what a sale has set in motion. Once it is processed, Tryton cancels no sale: its shipments and its invoice are cancelled,
 * and then the sale is told not to make them again. It ends as done, with nothing sent.
 */
export async function cancelSale(rpc: Rpc, { sale, moves, invoices }: OrderRecords, call: Call): Promise<void> {
  const act = (method: string, ids: readonly number[], context = {}) =>
    ids.length === 0 ? null : rpc(Anything, method, [ids], call, context)

  if (sale.state === 'confirmed') await act('sale.sale.draft', [sale.id])
  if (sale.state !== 'processing' && sale.state !== 'done') {
    await act('sale.sale.cancel', [sale.id])
    return
  }
  // What left in the meantime stays done, and shows when the sale is read again.
  await act('stock.shipment.out.cancel', waitingShipments(moves).map(idIn))
  for (const { id, state, _timestamp } of invoices) {
    const unchanged = { _timestamp: { [`account.invoice,${id}`]: _timestamp } }
    if (state === 'draft' || state === 'validated') await act('account.invoice.cancel', [id], unchanged)
  }
  // Tryton frees the coupons of a sale that it cancels, and so of none that is under way.
  const remove = [['remove', sale.coupons ?? []]]
  if (sale.coupons?.length) await rpc(Anything, 'sale.sale.write', [[sale.id], { coupons: remove }], call)
  const off = moves.map(({ id }) => id)
  await handle(rpc, 'shipment', sale.id, { recreate_moves: [], domain_moves: off }, call)
  const bills = invoices.map(({ id }) => id)
  await handle(rpc, 'invoice', sale.id, { recreate_invoices: [], domain_invoices: bills }, call)
}

/**
 * Whether other sales hang on the shipment or the invoice that would be cancelled with this one: with `sale_shipment_grouping` or
 * `sale_invoice_grouping` a customer's orders are sent, or billed, together.
 */
export async function hasSharedDocuments(
  rpc: Rpc,
  { sale, moves, invoices }: OrderRecords,
  call: Call,
): Promise<boolean> {
  const isOther = (id: number | null) => id !== null && id !== sale.id
  if (invoices.some(({ state, sales }) => state !== 'cancelled' && sales.some(isOther))) return true
  const shipments = waitingShipments(moves)
  if (shipments.length === 0) return false
  const params = [[['shipment', 'in', shipments]], 0, null, null, ['sale']]
  return (await rpc(Sales, 'stock.move.search_read', params, call)).some((move) => isOther(move.sale))
}

function waitingShipments(moves: OrderRecords['moves']): string[] {
  const waiting = moves.filter(({ state }) => state !== 'cancelled' && state !== 'done')
  const shipments = waiting.flatMap(({ shipment }) => (shipment?.startsWith('stock.shipment.out,') ? [shipment] : []))
  return [...new Set(shipments)]
}

const idIn = (reference: string) => Number(reference.split(',')[1])

async function handle(rpc: Rpc, what: 'shipment' | 'invoice', sale: number, ask: object, call: Call): Promise<void> {
  const wizard = `wizard.sale.handle.${what}.exception`
  const about = { active_model: 'sale.sale', active_id: sale, active_ids: [sale] }
  const [session] = await rpc(Session, `${wizard}.create`, [], call, about)
  await rpc(Anything, `${wizard}.execute`, [session, { ask }, 'handle'], call, about)
  await rpc(Anything, `${wizard}.delete`, [session], call, about)
}
