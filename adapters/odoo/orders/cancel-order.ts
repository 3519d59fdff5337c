import { Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { AccountingPort } from '../../../src/ports/accounting.ts'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { isRejected } from '../client/rpc-errors.ts'
import type { OdooContext } from '../context.ts'
import { saveCancellation } from './order-attachments.ts'
import type { OrderReader } from './order-reader.ts'
import { toStatus } from './order-status.ts'
import type { SaleRow } from './sale-schemas.ts'

const Anything = responseSchema(Type.Unknown())
const OPEN_PICKING_STATES = ['draft', 'waiting', 'confirmed', 'assigned']

/**
 * Cancels orders. Odoo would cancel a shipped and invoiced order too, so its deliveries are cancelled first: Odoo refuses
 * that for a delivery that has left, however late the call arrives.
 */
export function connectCancelOrder(
  { rpc, facts }: OdooContext,
  orders: OrderReader,
): Required<Pick<AccountingPort, 'cancelOrder'>> {
  async function cancelDeliveries(sale: SaleRow, call: Call): Promise<void> {
    const ids = sale.picking_ids.filter(({ state }) => OPEN_PICKING_STATES.includes(state)).map(({ id }) => id)
    if (ids.length > 0) await rpc.call(Anything, 'stock.picking/action_cancel', { ids }, call)
  }

  /** Runs the steps. A refusal of Odoo may mean that the order changed meanwhile: the order's state then shows that. */
  async function cancelSale(sale: SaleRow, call: Call): Promise<void> {
    try {
      await cancelDeliveries(sale, call)
      await rpc.call(Anything, 'sale.order/action_cancel', { ids: [sale.id] }, call)
    } catch (error) {
      if (!isRejected(error)) throw error
      const now = await orders.readById(sale.id, call)
      if (now && isCancellable(now)) throw error
    }
  }

  return {
    async cancelOrder(customerId, key, { reason, note }, call) {
      const placed = await orders.findPlaced(customerId, key, call)
      if (!placed) return null
      const sale = placed.row
      if (isCancellable(sale)) {
        await saveCancellation(rpc, sale.id, { reason, note, at: facts.now().toISOString() }, call)
        await cancelSale(sale, call)
      }
      const now = await orders.readById(sale.id, call)
      if (!now) throw new UpstreamError('error', 'the order cannot be read')
      const status = toStatus(now)
      if (status !== 'CANCELLED') return { state: 'refused', status }
      return { state: 'cancelled', order: (await orders.toOrders([now], call))[0]! }
    },
  }
}

const isCancellable = (sale: SaleRow) =>
  toStatus(sale) === 'CONFIRMED' && !sale.invoice_ids.some(({ state }) => state === 'posted')
