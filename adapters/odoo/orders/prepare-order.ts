import { Decimal } from 'decimal.js'
import type { Call } from '../../../src/ports/call.ts'
import type { OrderDraft } from '../../../src/ports/order.ts'
import type { LoadRows } from '../client/create-record-once.ts'
import type { OdooContext } from '../context.ts'
import type { DeliveryQuotes, QuotedDelivery } from '../delivery-options/delivery-quotes.ts'
import type { AppliedCodes } from '../pricing/apply-promotion-codes.ts'
import type { Pricing } from '../pricing/price-reader.ts'
import { buildRefusedSaleLoadRows, buildSaleLoadRows } from './build-sale-load-rows.ts'
import { checkOrderDraft, type Refusal } from './check-order-draft.ts'

interface CheckedOrder {
  pricing: Pricing
  /** The discount of each discounted line in percent, by the index of the line. */
  percents: AppliedCodes['percents']
  unitPrices: AppliedCodes['unitPrices']
  /** The delivery of the draft as it is offered now. */
  delivery: QuotedDelivery | null
  refusal: Refusal | null
}

/** A draft order to create, after its check. */
export interface PreparedOrder extends CheckedOrder {
  rows: LoadRows
}

export type PrepareOrder = (draft: OrderDraft, call: Call) => Promise<PreparedOrder>

/** Returns a function that checks a draft against the prices and deliveries of this moment, and builds the rows of its sale. */
export function createPrepareOrder(context: OdooContext, quoteDeliveries: DeliveryQuotes): PrepareOrder {
  const { facts, digits } = context

  async function check(draft: OrderDraft, call: Call): Promise<CheckedOrder> {
    const skus = draft.lines.map(({ sku }) => sku)
    const [pricing, { hasCreditLimits }] = await Promise.all([
      context.readPricing(skus, draft.customer_id, call),
      context.readCompany(call),
    ])
    const lines = draft.lines.map(({ sku, quantity }, i) => ({ line_id: String(i), sku, quantity }))
    const codes = draft.promotions.map(({ code }) => code)
    const quote = await context.quotePromotions({ lines, codes }, pricing, call)
    const delivery = pricing.partner?.active ? await findDelivery(draft, pricing, call) : null
    const refusal = checkOrderDraft(draft, pricing, quote, {
      currency: facts.currency,
      digits,
      hasCreditLimits,
      delivery: delivery?.option ?? null,
    })
    return { pricing, percents: quote.percents, unitPrices: quote.unitPrices, delivery, refusal }
  }

  /** Returns the delivery of a draft; `null` for none, and for one that is not offered now. */
  async function findDelivery(draft: OrderDraft, pricing: Pricing, call: Call): Promise<QuotedDelivery | null> {
    if (!draft.delivery) return null
    const query = {
      customerId: draft.customer_id,
      lines: draft.lines,
      goods_total: Decimal.sum(0, ...draft.lines.map(({ line_total }) => line_total)).toFixed(),
      tax_included: draft.totals.tax_included,
      codes: draft.promotions.map(({ code }) => code),
      shipping_address: draft.shipping_address,
    }
    const wanted = draft.delivery.delivery_option_id
    const quoted = await quoteDeliveries(query, pricing, call)
    return quoted.find(({ option }) => option.delivery_option_id === wanted) ?? null
  }

  return async (draft, call) => {
    const checked = await check(draft, call)
    const { pricing, percents, unitPrices, delivery, refusal } = checked
    const rows = refusal
      ? buildRefusedSaleLoadRows(draft)
      : await buildSaleLoadRows(context, draft, { ...pricing, percents, unitPrices, delivery }, call)
    return { ...checked, rows }
  }
}
