import { Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { AccountingPort } from '../../../src/ports/accounting.ts'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import type { TrytonContext } from '../context.ts'
import { cancelSale, hasSharedDocuments } from './cancel-sale.ts'
import { isOnItsWay, readOpenShipments } from './cancel-shipments.ts'
import type { OrderReader } from './order-reader.ts'
import type { OrderRecords } from './order-record-reader.ts'
import { toOrderStatus } from './order-status.ts'
import { isUnplacedSale } from './placed-sales.ts'
import { formatCancellation, parseCancellation, toOutcomeValues } from './sale-outcome-text.ts'

const AnyResult = responseSchema(Type.Unknown())
const MAX_ATTEMPTS = 6

/** Cancels orders that are neither shipped nor invoiced. The sale is marked first, so that another process can continue after a crash. */
export function connectCancelOrder(
  context: TrytonContext,
  orders: OrderReader,
): Required<Pick<AccountingPort, 'cancelOrder'>> {
  const { rpc, facts, capabilities } = context

  async function markCancelled(
    { sale }: OrderRecords,
    cancellation: { reason: string; note: string | null },
    call: Call,
  ) {
    const outcome = formatCancellation({ at: facts.now().toISOString(), ...cancellation })
    const values = toOutcomeValues(sale, outcome, await capabilities.has('release76', call))
    const unchanged = { _timestamp: { [`sale.sale,${sale.id}`]: sale._timestamp } }
    await rpc(AnyResult, 'sale.sale.write', [[sale.id], values], call, unchanged)
  }

  return {
    async cancelOrder(customerId, key, cancellation, call) {
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
        const records = await orders.readRecords(customerId, key, call)
        if (!records || isUnplacedSale(records.sale)) return null
        const status = toOrderStatus(records)
        const isMarked = parseCancellation(records.sale.description) !== null
        if (isFullyCancelled(records))
          return { state: 'cancelled', order: (await orders.toOrders([records], call))[0]! }
        if (!isMarked && status !== 'CONFIRMED') return { state: 'refused', status }
        // The goods may have been shipped, or the invoice posted, after the sale was marked.
        if (status === 'SHIPPED' || status === 'PARTIALLY_SHIPPED' || isInvoiced(records))
          return { state: 'refused', status }
        if (await hasSharedDocuments(rpc, records, call)) return { state: 'refused', status }
        const shipments = await readOpenShipments(rpc, records, call)
        if (shipments.some(isOnItsWay)) return { state: 'refused', status }
        try {
          if (isMarked) await cancelSale(rpc, records, shipments, await capabilities.has('release76', call), call)
          else await markCancelled(records, cancellation, call)
        } catch (error) {
          if (!(error instanceof UpstreamError) || !error.retryable) throw error
        }
      }
      throw new UpstreamError('error', 'the sale could not be cancelled completely', { retryable: true })
    },
  }
}

const isInvoiced = ({ invoices }: OrderRecords) => invoices.some(({ state }) => state === 'posted' || state === 'paid')

/** Returns true when nothing is left to be shipped or invoiced. */
function isFullyCancelled(records: OrderRecords): boolean {
  const { sale, invoices } = records
  if (sale.state === 'cancelled') return true
  return (
    sale.state === 'done' &&
    toOrderStatus(records) === 'CANCELLED' &&
    invoices.every(({ state }) => state === 'cancelled')
  )
}
