import { Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { AccountingPort } from '../../../src/ports/accounting.ts'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/response-schema.ts'
import type { AccountingContext } from '../accounting-context.ts'
import { cancelSale, hasSharedDocuments } from './cancel-sale.ts'
import { isUnplacedSale, type OrderReader } from './order-reader.ts'
import type { OrderRecords } from './order-records.ts'
import { toOrderStatus } from './order-status.ts'
import { formatCancellation, parseCancellation } from './sale-description.ts'

const Anything = responseSchema(Type.Unknown())
const TRIES = 4

/** Cancels what has not left and is not invoiced. The mark goes first: whoever dies after it, the next one goes on from there. */
export function connectCancelOrder(
  ledger: AccountingContext,
  orders: OrderReader,
): Required<Pick<AccountingPort, 'cancelOrder'>> {
  const { rpc, facts } = ledger

  async function mark({ sale }: OrderRecords, why: { reason: string; note: string | null }, call: Call) {
    const description = formatCancellation({ at: facts.now().toISOString(), ...why })
    const unchanged = { _timestamp: { [`sale.sale,${sale.id}`]: sale._timestamp } }
    await rpc(Anything, 'sale.sale.write', [[sale.id], { description }], call, unchanged)
  }

  return {
    async cancelOrder(customerId, key, why, call) {
      for (let tries = 0; tries < TRIES; tries += 1) {
        const records = await orders.saleOf(customerId, key, call)
        if (!records || isUnplacedSale(records.sale)) return null
        const status = toOrderStatus(records)
        const marked = parseCancellation(records.sale.description) !== null
        if (isOver(records)) return { state: 'cancelled', order: (await orders.viewed([records], call))[0]! }
        if (!marked && status !== 'CONFIRMED') return { state: 'refused', status }
        // After it was marked, perhaps: it left, or people posted its invoice.
        if (status === 'SHIPPED' || status === 'PARTIALLY_SHIPPED' || isInvoiced(records))
          return { state: 'refused', status }
        if (await hasSharedDocuments(rpc, records, call)) return { state: 'refused', status }
        try {
          if (marked) await cancelSale(rpc, records, call)
          else await mark(records, why, call)
        } catch (error) {
          if (!(error instanceof UpstreamError) || !error.retryable) throw error
        }
      }
      throw new UpstreamError('error', 'the sale does not come to its end', { retryable: true })
    },
  }
}

const isInvoiced = ({ invoices }: OrderRecords) => invoices.some(({ state }) => state === 'posted' || state === 'paid')

/** Nothing of it waits to be sent or invoiced any longer. */
function isOver(records: OrderRecords): boolean {
  const { sale, invoices } = records
  if (sale.state === 'cancelled') return true
  return (
    sale.state === 'done' &&
    toOrderStatus(records) === 'CANCELLED' &&
    invoices.every(({ state }) => state === 'cancelled')
  )
}
