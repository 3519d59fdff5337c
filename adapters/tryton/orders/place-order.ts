import { Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { AccountingPort } from '../../../src/ports/accounting.ts'
import type { Call } from '../../../src/ports/call.ts'
import type { OrderDraft, PlaceOrderResult } from '../../../src/ports/order.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { toUncertainOrderError } from '../../to-uncertain-order-error.ts'
import { isRejected } from '../client/rpc-errors.ts'
import { parseRecordId, TrytonId } from '../client/tryton-values.ts'
import type { TrytonContext } from '../context.ts'
import type { createOrderCheck, OrderCheckResult } from './order-check.ts'
import { attachDraft } from './order-draft-attachment.ts'
import type { OrderReader } from './order-reader.ts'
import { readOrderRecords, readSales, type SaleRow } from './order-record-reader.ts'
import { processSale } from './process-sale.ts'
import { formatRefusal, type OrderRefusal, parseRefusal } from './sale-outcome-text.ts'
import { createSaleTransition, type SaleTransitionOptions } from './sale-transition.ts'
import { buildSaleValues } from './sale-values.ts'
import { createSerialQueue } from './serial-queue.ts'
import { createWebShopReader } from './web-shop.ts'

const Ids = responseSchema(Type.Array(TrytonId))
const MAX_STEPS = 12

/**
 * Places orders exactly once. The order's reference becomes the Web ID of the sale, which the database keeps unique (from
 * 7.6 on within its web shop): however often the order is sent, there is one sale. The state of that sale in Tryton decides
 * the next step, so that any process can continue it. A refusal is a cancelled sale whose description holds the reason.
 */
export function connectPlaceOrder(
  context: TrytonContext,
  parts: SaleTransitionOptions & { check: ReturnType<typeof createOrderCheck>; orders: OrderReader },
): Required<Pick<AccountingPort, 'placeOrder'>> {
  const { rpc, capabilities } = context
  const runInTurn = createSerialQueue()
  const advanceSale = createSaleTransition(context, parts)
  const readWebShop = createWebShopReader(context)

  async function findSale({ reference, customer_id }: OrderDraft, call: Call): Promise<SaleRow | undefined> {
    const [sale] = await readSales(context, [['web_id', '=', reference]], call, { limit: 1 })
    if (sale && String(sale.party) !== customer_id)
      throw new UpstreamError('rejected', 'this reference belongs to an order of another customer')
    return sale
  }

  async function createSale(
    draft: OrderDraft,
    { refusal, ...checked }: OrderCheckResult,
    webShop: number | null,
    call: Call,
  ): Promise<void> {
    const values = refusal ? toRefusedSaleValues(draft, refusal) : await buildSaleValues(context, draft, checked, call)
    // From 8.2 on, a sale cannot be created in its final state: the next step cancels it.
    const series = webShop === null ? { ...(refusal && { state: 'cancelled' }) } : { web_shop: webShop }
    try {
      const [id] = await rpc(Ids, 'sale.sale.create', [[{ ...values, ...series }]], call)
      if (!refusal) await attachDraft(rpc, id!, draft, call)
    } catch (error) {
      // Another process was faster: the database has this Web ID already.
      if (!isRejected(error) || !(await findSale(draft, call))) throw error
    }
  }

  async function placeOnce(draft: OrderDraft, call: Call): Promise<PlaceOrderResult> {
    let hasProcessed = false
    let isChecking = false
    try {
      for (let step = 0; step < MAX_STEPS; step += 1) {
        const sale = await findSale(draft, call)
        if (!sale) {
          isChecking = true
          const [webShop, result] = await Promise.all([readWebShop(call), parts.check(draft, call)])
          isChecking = false
          await createSale(draft, result, webShop, call)
        } else if (sale.state === 'draft' || sale.state === 'quotation') await advanceSale(sale, draft, call)
        else if (sale.state === 'confirmed' && !hasProcessed) {
          hasProcessed = true
          await processSale(rpc, sale, call)
        } else return await toResult(sale, call)
      }
    } catch (error) {
      // There is no sale while the order is checked. After that there may be one, whatever module is missing.
      throw isChecking ? error : toUncertainOrderError(error)
    }
    throw new UpstreamError('error', 'the sale does not advance from its state', { retryable: true })
  }

  async function toResult(sale: SaleRow, call: Call): Promise<PlaceOrderResult> {
    const refusal = sale.state === 'cancelled' ? parseRefusal(sale.description) : null
    if (refusal) return { state: 'refused', ...toRefusedResult(refusal) }
    const [order] = await parts.orders.toOrders(await readOrderRecords(context, [sale], call), call)
    return { state: 'placed', order: order! }
  }

  return {
    async placeOrder(draft, call) {
      await capabilities.require(call, 'orders', 'webOrders', 'invoices')
      if (parseRecordId(draft.customer_id) === null) throw new UpstreamError('rejected', 'the customer does not exist')
      return runInTurn(call, () => placeOnce(draft, call))
    },
  }
}

const toRefusedResult = ({ reason, skus, available }: OrderRefusal) => ({ reason, skus, available_credit: available })

/** Returns the values of a refused sale. While it is a draft, readers do not count it as an order. */
const toRefusedSaleValues = (draft: OrderDraft, refusal: OrderRefusal) => ({
  party: Number(draft.customer_id),
  web_id: draft.reference,
  description: formatRefusal(refusal),
  reference: draft.po_number,
})
