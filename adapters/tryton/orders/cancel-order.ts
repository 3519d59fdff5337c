import { Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { AccountingPort } from '../../../src/ports/accounting.ts'
import type { Call } from '../../../src/ports/call.ts'
import { shape } from '../../../src/upstream/response-schema.ts'
import { callOff, isShared } from './cancel-sale.ts'
import type { Ledger } from '../accounting-context.ts'
import { cancelledMark, cancelledOf } from './sale-description.ts'
import type { OrderRecords } from './order-records.ts'
import { statusOf } from './order-status.ts'
import { isNone, type Orders } from './order-reader.ts'

const Anything = shape(Type.Unknown())
const TRIES = 4

/** Cancels what has not left and is not invoiced. The mark goes first: whoever dies after it, the next one goes on from there. */
export function cancelOrder(ledger: Ledger, orders: Orders): Required<Pick<AccountingPort, 'cancelOrder'>> {
  const { rpc, facts } = ledger

  async function mark({ sale }: OrderRecords, why: { reason: string; note: string | null }, call: Call) {
    const description = cancelledMark({ at: facts.now().toISOString(), ...why })
    const unchanged = { _timestamp: { [`sale.sale,${sale.id}`]: sale._timestamp } }
    await rpc(Anything, 'sale.sale.write', [[sale.id], { description }], call, unchanged)
  }

  return {
    async cancelOrder(customerId, key, why, call) {
      for (let tries = 0; tries < TRIES; tries += 1) {
        const records = await orders.saleOf(customerId, key, call)
        if (!records || isNone(records.sale)) return null
        const status = statusOf(records)
        const marked = cancelledOf(records.sale.description) !== null
        if (isOver(records)) return { state: 'cancelled', order: (await orders.viewed([records], call))[0]! }
        if (!marked && status !== 'CONFIRMED') return { state: 'refused', status }
        // After it was marked, perhaps: it left, or people posted its invoice.
        if (status === 'SHIPPED' || status === 'PARTIALLY_SHIPPED' || isInvoiced(records))
          return { state: 'refused', status }
        if (await isShared(rpc, records, call)) return { state: 'refused', status }
        try {
          if (marked) await callOff(rpc, records, call)
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
    sale.state === 'done' && statusOf(records) === 'CANCELLED' && invoices.every(({ state }) => state === 'cancelled')
  )
}
