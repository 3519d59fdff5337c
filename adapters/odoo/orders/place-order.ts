import { Decimal } from 'decimal.js'
import { Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { AccountingPort } from '../../../src/ports/accounting.ts'
import type { Call } from '../../../src/ports/call.ts'
import type { OrderDraft, PlaceOrderResult } from '../../../src/ports/order.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { toUncertainOrderError } from '../../to-uncertain-order-error.ts'
import { createRecordOnce, type LoadRows, toExternalName } from '../client/create-record-once.ts'
import { parseRecordId } from '../client/odoo-values.ts'
import { isRejected } from '../client/rpc-errors.ts'
import type { OdooContext } from '../context.ts'
import type { DeliveryQuotes } from '../delivery-options/delivery-quotes.ts'
import { buildSaleLoadRows } from './build-sale-load-rows.ts'
import { overCreditLimit, type Refusal, totalsDisagree } from './check-order-draft.ts'
import { type CreditExposure, readCreditExposure } from './credit-exposure.ts'
import { type Decision, readLatestLoggedDecision, readOrderAttachments, saveDecision } from './order-attachments.ts'
import type { OrderReader } from './order-reader.ts'
import { createPrepareOrder, type PreparedOrder } from './prepare-order.ts'
import { REFUSED_SALE_ORIGIN_PREFIX } from './sale-origin.ts'
import type { SaleRow } from './sale-schemas.ts'

const Anything = responseSchema(Type.Unknown())
/** Each attempt that loses its place in a customer's log lets another order pass. */
const MAX_ATTEMPTS = 30

/** A decision, and the state of the order when it was read. */
interface Decided {
  decision: Decision
  state: string
}

/**
 * Places orders exactly once. The reference becomes the external id of a draft order, which Odoo keeps unique. A note
 * with the decision follows, which is unique too; only then is the order confirmed or cancelled. Whoever comes later
 * finds the draft and the decision, and continues.
 */
export function connectPlaceOrder(
  context: OdooContext,
  orders: OrderReader,
  quoteDeliveries: DeliveryQuotes,
): Required<Pick<AccountingPort, 'placeOrder'>> {
  const { rpc, digits } = context
  const prepare = createPrepareOrder(context, quoteDeliveries)

  const toRefusal = ({ own, available }: CreditExposure, { totals, payment_method }: OrderDraft): Refusal | null => {
    if (!new Decimal(totals.total).eq(own.amount_total) || !new Decimal(totals.tax_total).eq(own.amount_tax))
      return totalsDisagree
    if (payment_method !== 'CREDIT_TERMS' || available.gte(totals.total)) return null
    return overCreditLimit(context.formatAmount(available.toDecimalPlaces(digits).toFixed()))
  }

  /** Decides about a draft order. On credit terms, the decision takes the next place in the log of the customer. */
  async function decide(orderId: number, draft: OrderDraft, commercialId: number, call: Call): Promise<Decided> {
    const { reference, totals } = draft
    const isOnCredit = draft.payment_method === 'CREDIT_TERMS'
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const last = isOnCredit ? await readLatestLoggedDecision(rpc, commercialId, call) : null
      const exposure = await readCreditExposure(rpc, orderId, isOnCredit ? commercialId : null, last, call)
      if (String(exposure.own.partner_id.id) !== draft.customer_id) throw ofAnotherCustomer()
      if (exposure.own.state === 'draft') {
        const refusal = toRefusal(exposure, draft)
        // An earlier attempt may have accepted the order, before the credit changed.
        const known = refusal && (await readOrderAttachments(rpc, [orderId], call)).get(orderId)?.decision
        if (known) return { decision: known, state: exposure.own.state }
        const accepted = refusal ? [] : [{ orderId, amount: totals.total }]
        const log = isOnCredit
          ? { number: (last?.log?.number ?? 0) + 1, pending: [...exposure.pending, ...accepted] }
          : null
        await saveDecision(rpc, commercialId, orderId, { reference, draft, refusal, log }, call)
      }
      const decision = (await readOrderAttachments(rpc, [orderId], call)).get(orderId)?.decision
      if (decision) return { decision, state: exposure.own.state }
      if (exposure.own.state !== 'draft') throw new UpstreamError('error', 'the order has no decision')
    }
    throw new UpstreamError('error', 'too many orders of this customer at the same time', { retryable: true })
  }

  async function refuse(orderId: number, sale: SaleRow | null, decision: Decision, call: Call): Promise<void> {
    if (sale?.state === 'cancel' && sale.origin === REFUSED_SALE_ORIGIN_PREFIX + decision.reference) return
    const vals = { origin: REFUSED_SALE_ORIGIN_PREFIX + decision.reference }
    await rpc.call(Anything, 'sale.order/write', { ids: [orderId], vals }, call)
    await rpc.call(Anything, 'sale.order/action_cancel', { ids: [orderId] }, call)
  }

  async function confirm(orderId: number, call: Call): Promise<void> {
    try {
      await rpc.call(Anything, 'sale.order/action_confirm', { ids: [orderId] }, call)
    } catch (error) {
      // Another process was faster.
      if (!isRejected(error) || (await orders.readById(orderId, call))?.state === 'draft') throw error
    }
  }

  /** Carries a decision out, from whichever state the order is in. */
  async function finish(
    orderId: number,
    sale: SaleRow | null,
    { decision, state }: Decided,
    call: Call,
  ): Promise<PlaceOrderResult> {
    if (decision.refusal) {
      await refuse(orderId, sale, decision, call)
      return { state: 'refused', ...decision.refusal }
    }
    const isOpen = state === 'draft' || state === 'sent'
    if (isOpen) await confirm(orderId, call)
    const row = await orders.readById(orderId, call)
    if (!row) throw new UpstreamError('error', 'the order cannot be read')
    // The only note of an order that was open is its decision.
    const attachments = isOpen ? new Map([[orderId, { decision, cancellation: null }]]) : undefined
    return { state: 'placed', order: (await orders.toOrders([row], call, attachments))[0]! }
  }

  /** Creates the sale, or finds it by its external id. A copied sale has no external id. */
  const load = (draft: OrderDraft, rows: LoadRows, call: Call) =>
    createRecordOnce(rpc, 'sale.order', `order_${toExternalName(draft.reference)}`, rows, call)

  /** Staff may have deleted the contact of an address since it was saved: then it is saved again. */
  async function createSale(
    draft: OrderDraft,
    { pricing, percents, unitPrices, delivery, refusal, rows }: PreparedOrder,
    call: Call,
  ): Promise<number> {
    try {
      return await load(draft, rows, call)
    } catch (error) {
      if (refusal || !isRejected(error) || context.savedAddresses.size === 0) throw error
      context.savedAddresses.clear()
      return load(
        draft,
        await buildSaleLoadRows(context, draft, { ...pricing, percents, unitPrices, delivery }, call),
        call,
      )
    }
  }

  async function start(draft: OrderDraft, prepared: PreparedOrder, call: Call) {
    const { pricing, refusal } = prepared
    const orderId = await createSale(draft, prepared, call)
    const commercialId = pricing.partner!.commercial_partner_id.id
    if (!refusal) return finish(orderId, null, await decide(orderId, draft, commercialId, call), call)
    await saveDecision(rpc, commercialId, orderId, { reference: draft.reference, draft, refusal, log: null }, call)
    const decision = (await readOrderAttachments(rpc, [orderId], call)).get(orderId)!.decision!
    return finish(orderId, null, { decision, state: 'draft' }, call)
  }

  /** Returns an order of this reference, with the decision about it if there is one. */
  async function findEarlier(draft: OrderDraft, call: Call) {
    const sale = await orders.findByReference(draft.reference, call)
    if (!sale) return null
    if (String(sale.partner_id) !== draft.customer_id) throw ofAnotherCustomer()
    const decision = (await readOrderAttachments(rpc, [sale.id], call)).get(sale.id)?.decision
    return { sale, decided: decision ? { decision, state: sale.state } : null }
  }

  return {
    async placeOrder(draft, call) {
      if (parseRecordId(draft.customer_id) === null) throw new UpstreamError('rejected', 'the customer does not exist')
      let mayHaveSale = true
      try {
        const prepared = await prepare(draft, call).catch((error: unknown) => ({ error }))
        if ('error' in prepared || prepared.refusal) {
          // The decision of an earlier call counts. If nothing is refused here, `start` finds that decision without another call.
          const earlier = await findEarlier(draft, call)
          if (earlier?.decided) return await finish(earlier.sale.id, earlier.sale, earlier.decided, call)
          mayHaveSale = earlier !== null
          if ('error' in prepared) throw prepared.error
        }
        mayHaveSale = true
        return await start(draft, prepared, call)
      } catch (error) {
        throw mayHaveSale ? toUncertainOrderError(error) : error
      }
    },
  }
}

const ofAnotherCustomer = () => new UpstreamError('rejected', 'this reference belongs to an order of another customer')
