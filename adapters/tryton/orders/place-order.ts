import { Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { AccountingPort } from '../../../src/ports/accounting.ts'
import type { Call } from '../../../src/ports/call.ts'
import type { OrderDraft, PlaceOrderResult } from '../../../src/ports/order.ts'
import { responseSchema } from '../../../src/upstream/response-schema.ts'
import { type AccountingContext, isRejected, parseRecordId } from '../accounting-context.ts'
import { TrytonId } from '../client/tryton-values.ts'
import { attachDraft } from './draft-attachment.ts'
import type { createOrderCheck, OrderCheckResult } from './order-check.ts'
import type { OrderReader } from './order-reader.ts'
import { readOrderRecords, readSales, type SaleRow } from './order-records.ts'
import { processSale } from './process-sale.ts'
import { formatRefusal, type OrderRefusal, parseRefusal } from './sale-description.ts'
import { createSaleTransition, type SaleTransitionOptions } from './sale-transitions.ts'
import { buildSaleValues } from './sale-values.ts'
import { createSerialQueue } from './serial-queue.ts'

const Ids = responseSchema(Type.Array(TrytonId))
const TRIES = 12

/**
 * The reference is the Web ID of the sale, which the database keeps unique: whatever is sent twice, at once or late, one sale has it.
 * What happens to that sale then goes by its state in Tryton, and whoever comes finds it there and goes on; a refusal is a cancelled
 * sale that says why.
 */
export function connectPlaceOrder(
  ledger: AccountingContext,
  parts: SaleTransitionOptions & { check: ReturnType<typeof createOrderCheck>; orders: OrderReader },
): Required<Pick<AccountingPort, 'placeOrder'>> {
  const { rpc, abilities } = ledger
  const inTurn = createSerialQueue()
  const step = createSaleTransition(ledger, parts)

  async function found({ reference, customer_id }: OrderDraft, call: Call): Promise<SaleRow | undefined> {
    const [sale] = await readSales(ledger, [['web_id', '=', reference]], call, { limit: 1 })
    if (sale && String(sale.party) !== customer_id)
      throw new UpstreamError('rejected', 'this reference names an order of another customer')
    return sale
  }

  async function make(draft: OrderDraft, { refused, products }: OrderCheckResult, call: Call): Promise<void> {
    const values = refused ? refusedSale(draft, refused) : await buildSaleValues(ledger, draft, products, call)
    try {
      const [id] = await rpc(Ids, 'sale.sale.create', [[values]], call)
      if (!refused) await attachDraft(rpc, id!, draft, call)
    } catch (error) {
      // Somebody was faster: the database has this Web ID already.
      if (!isRejected(error) || !(await found(draft, call))) throw error
    }
  }

  async function settled(draft: OrderDraft, call: Call): Promise<PlaceOrderResult> {
    let pushed = false
    let checking = false
    try {
      for (let tries = 0; tries < TRIES; tries += 1) {
        const sale = await found(draft, call)
        if (!sale) {
          checking = true
          const checked = await parts.check(draft, call)
          checking = false
          await make(draft, checked, call)
        } else if (sale.state === 'draft' || sale.state === 'quotation') await step(sale, draft, call)
        else if (sale.state === 'confirmed' && !pushed) {
          pushed = true
          await processSale(rpc, sale, call)
        } else return await answerOf(sale, call)
      }
    } catch (error) {
      // While it is checked there is no sale. Else there may be one, whatever is missing in Tryton.
      throw checking ? error : asBegun(error)
    }
    throw new UpstreamError('error', 'the sale does not leave its state', { retryable: true })
  }

  async function answerOf(sale: SaleRow, call: Call): Promise<PlaceOrderResult> {
    const refused = sale.state === 'cancelled' ? parseRefusal(sale.description) : null
    if (refused) return { state: 'refused', ...refusalOf(refused) }
    const [order] = await parts.orders.viewed(await readOrderRecords(ledger, [sale], call), call)
    return { state: 'placed', order: order! }
  }

  return {
    async placeOrder(draft, call) {
      await abilities.need(call, 'orders', 'webOrders', 'invoices')
      if (parseRecordId(draft.customer_id) === null) throw new UpstreamError('rejected', 'there is no such customer')
      return inTurn(call, () => settled(draft, call))
    },
  }
}

/** 'not_configured' tells that nothing was begun: else, a name that is missing in Tryton is an error like any other. */
function asBegun(error: unknown): unknown {
  const isMissing = error instanceof UpstreamError && error.failure === 'not_configured'
  return isMissing ? new UpstreamError('error', error.message, { cause: error }) : error
}

const refusalOf = ({ reason, skus, available }: OrderRefusal) => ({ reason, skus, available_credit: available })

/** Made as what it is in one step, so that nobody ever meets it half refused. */
const refusedSale = (draft: OrderDraft, refused: OrderRefusal) => ({
  ...{ party: Number(draft.customer_id), web_id: draft.reference, description: formatRefusal(refused) },
  ...{ reference: draft.po_number, state: 'cancelled' },
})
