import { Decimal } from 'decimal.js'
import type { Order, OrderDraft } from '../../../src/ports/order.ts'
import { latestEpochMs, toIsoDate } from '../client/tryton-values.ts'
import type { TrytonContext } from '../context.ts'
import { currencyDigits } from '../currency-digits.ts'
import { toAddress } from '../customers/addresses.ts'
import type { TaxRow } from '../pricing/tax-table.ts'
import { hasSameDelivery, hasSameLines } from './compare-sale-lines.ts'
import { toOrderLinesAndTotals } from './order-lines-and-totals.ts'
import type { OrderRecords } from './order-record-reader.ts'
import { orderChangedAtMs, toOrderHistory, toOrderStatus } from './order-status.ts'
import { toShipments } from './shipments.ts'

export interface OrderMappingContext extends Pick<TrytonContext, 'formatAmount' | 'settings'> {
  taxes: Map<number, TaxRow>
  today: string
}

type OrderDetails = Pick<
  Order,
  | 'payment_method'
  | 'fulfillment_method'
  | 'delivery'
  | 'shipping_address'
  | 'billing_address'
  | 'contact'
  | 'po_number'
  | 'notes'
  | 'requested_date'
>

/** Maps a sale to an order. Lines and totals come from the draft as long as the sale still matches it. */
export function toOrder(records: OrderRecords, context: OrderMappingContext): Order {
  const { sale, draft, invoices } = records
  const status = toOrderStatus(records)
  const isUnchanged = draft !== null && hasDraftLines(records, draft, currencyDigits(context))
  return {
    order_id: String(sale.id),
    order_number: sale.number ?? String(sale.id),
    reference: sale.web_id || null,
    customer_id: String(sale.party),
    currency: sale['currency.'].code,
    status,
    payment_status: 'NOT_REQUIRED',
    ...toOrderDetails(records, context),
    ...(isUnchanged
      ? { lines: draft.lines, promotions: draft.promotions, totals: draft.totals }
      : toOrderLinesAndTotals(records, context)),
    placed_at: new Date(latestEpochMs(sale.create_date)).toISOString(),
    updated_at: new Date(orderChangedAtMs(records)).toISOString(),
    shipments: toShipments(records),
    invoiced: invoices.some(({ state }) => state === 'posted' || state === 'paid'),
    ...toOrderHistory(records),
  }
}

function toOrderDetails({ sale, draft, addresses }: OrderRecords, { settings }: OrderMappingContext): OrderDetails {
  if (draft) {
    const { payment_method, fulfillment_method, shipping_address, billing_address } = draft
    const { delivery, contact, po_number, notes, requested_date } = draft
    return {
      payment_method,
      fulfillment_method,
      ...(delivery && { delivery }),
      shipping_address,
      billing_address,
      contact,
      po_number,
      notes,
      requested_date,
    }
  }
  const address = (id: number | null) =>
    toAddress(
      addresses.find((row) => row.id === id),
      settings,
    )
  return {
    payment_method: 'CREDIT_TERMS',
    fulfillment_method: 'DELIVERY',
    shipping_address: address(sale.shipment_address),
    billing_address: address(sale.invoice_address),
    contact: null,
    po_number: sale.reference || null,
    notes: sale.comment || null,
    requested_date: sale.shipping_date && toIsoDate(sale.shipping_date),
  }
}

/** Returns true when nobody changed the order in Tryton. Its total may differ by a cent, because Tryton rounds halves to even digits. */
function hasDraftLines(
  { sale, lines, deliveryLines }: OrderRecords,
  { lines: draftLines, totals }: OrderDraft,
  digits: number,
): boolean {
  const difference = new Decimal(sale.total_amount.decimal).minus(totals.total).abs()
  const cents = new Decimal(10).pow(-digits).times(2 * (draftLines.length + deliveryLines.length))
  return (
    difference.lte(cents) &&
    hasSameLines(lines, draftLines, digits) &&
    hasSameDelivery(deliveryLines, totals.shipping_total)
  )
}
