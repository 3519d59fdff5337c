import { Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import type { Rpc } from '../client/rpc.ts'
import { nullable, TrytonId } from '../client/tryton-values.ts'
import { cancelShipments, findOpenShipments, type ShipmentRow } from './cancel-shipments.ts'
import type { OrderRecords } from './order-record-reader.ts'

const AnyResult = responseSchema(Type.Unknown())
const Sales = responseSchema(Type.Array(Type.Object({ sale: nullable(TrytonId) })))
const WizardSession = responseSchema(Type.Tuple([Type.Integer(), Type.String(), Type.String()]))

/**
 * Cancels a sale and its documents. Tryton does not cancel a sale that is processed: its shipments and its invoice are
 * cancelled, and then the sale is told not to create them again. It ends as done with nothing shipped.
 * @param shipments its open shipments
 * @param namesIgnored whether Tryton's wizards ask for the documents to ignore, instead of ignoring all that are not created again
 */
export async function cancelSale(
  rpc: Rpc,
  { sale, moves, invoices }: OrderRecords,
  shipments: readonly ShipmentRow[],
  namesIgnored: boolean,
  call: Call,
): Promise<void> {
  const callOnIds = (method: string, ids: readonly number[], context = {}) =>
    ids.length === 0 ? null : rpc(AnyResult, method, [ids], call, { ...context, language: 'en' })

  if (sale.state === 'confirmed') await callOnIds('sale.sale.draft', [sale.id])
  if (sale.state !== 'processing' && sale.state !== 'done') {
    await callOnIds('sale.sale.cancel', [sale.id])
    return
  }
  await cancelShipments(rpc, shipments, call)
  for (const { id, state, _timestamp } of invoices) {
    const unchanged = { _timestamp: { [`account.invoice,${id}`]: _timestamp } }
    if (state === 'draft' || state === 'validated') await callOnIds('account.invoice.cancel', [id], unchanged)
  }
  // Tryton frees the coupons of a cancelled sale only, and this one ends as done.
  const removeCoupons = [['remove', sale.coupons ?? []]]
  if (sale.coupons?.length) await rpc(AnyResult, 'sale.sale.write', [[sale.id], { coupons: removeCoupons }], call)
  const moveIds = moves.map(({ id }) => id)
  const ignoredMoves = namesIgnored && { ignore_moves: moveIds }
  await handleException(rpc, 'shipment', sale.id, { recreate_moves: [], domain_moves: moveIds, ...ignoredMoves }, call)
  const invoiceIds = invoices.map(({ id }) => id)
  const ignoredInvoices = namesIgnored && { ignore_invoices: invoiceIds }
  const ask = { recreate_invoices: [], domain_invoices: invoiceIds, ...ignoredInvoices }
  await handleException(rpc, 'invoice', sale.id, ask, call)
}

/**
 * Returns true when other sales share the shipment or invoice that would be cancelled: with `sale_shipment_grouping` or
 * `sale_invoice_grouping`, orders of a customer are shipped or invoiced together.
 */
export async function hasSharedDocuments(
  rpc: Rpc,
  { sale, moves, invoices }: OrderRecords,
  call: Call,
): Promise<boolean> {
  const isOtherSale = (id: number | null) => id !== null && id !== sale.id
  if (invoices.some(({ state, sales }) => state !== 'cancelled' && sales.some(isOtherSale))) return true
  const openShipments = findOpenShipments(moves)
  if (openShipments.length === 0) return false
  const params = [[['shipment', 'in', openShipments]], 0, null, null, ['sale']]
  return (await rpc(Sales, 'stock.move.search_read', params, call)).some((move) => isOtherSale(move.sale))
}

async function handleException(
  rpc: Rpc,
  document: 'shipment' | 'invoice',
  sale: number,
  ask: object,
  call: Call,
): Promise<void> {
  const wizard = `wizard.sale.handle.${document}.exception`
  const wizardContext = { active_model: 'sale.sale', active_id: sale, active_ids: [sale] }
  const [session] = await rpc(WizardSession, `${wizard}.create`, [], call, wizardContext)
  await rpc(AnyResult, `${wizard}.execute`, [session, { ask }, 'handle'], call, wizardContext)
  await rpc(AnyResult, `${wizard}.delete`, [session], call, wizardContext)
}
