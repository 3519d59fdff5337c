import { Decimal } from 'decimal.js'
import type { Order, OrderDraft } from '../../../src/ports/order.ts'
import { type AccountingContext, currencyDigits } from '../accounting-context.ts'
import { latestEpochMs, toIsoDate } from '../client/tryton-values.ts'
import { toAddress } from '../customers/addresses.ts'
import type { TaxRow } from '../pricing/tax-table.ts'
import { toOrderLinesAndTotals } from './order-lines.ts'
import type { OrderRecords } from './order-records.ts'
import { orderChangedAtMs, toOrderHistory, toOrderStatus, toShipments } from './order-status.ts'
import { hasSameLines } from './sale-line-comparison.ts'

export interface OrderMappingContext extends Pick<AccountingContext, 'amount' | 'settings'> {
  taxes: Map<number, TaxRow>
  today: string
}

type About = Pick<
  Order,
  | 'payment_method'
  | 'fulfillment_method'
  | 'shipping_address'
  | 'billing_address'
  | 'contact'
  | 'po_number'
  | 'notes'
  | 'requested_date'
>

/** A sale as an order. What was ordered is told in the shopper's words, as long as Tryton still has it so. */
export function toOrder(records: OrderRecords, viewing: OrderMappingContext): Order {
  const { sale, draft, invoices } = records
  const status = toOrderStatus(records)
  const asGiven = draft !== null && isAsGiven(records, draft, currencyDigits(viewing))
  return {
    order_id: String(sale.id),
    order_number: sale.number ?? String(sale.id),
    reference: sale.web_id || null,
    customer_id: String(sale.party),
    currency: sale['currency.'].code,
    ...{ status, payment_status: 'NOT_REQUIRED' },
    ...aboutIt(records, viewing),
    ...(asGiven
      ? { lines: draft.lines, promotions: draft.promotions, totals: draft.totals }
      : toOrderLinesAndTotals(records, viewing)),
    placed_at: new Date(latestEpochMs(sale.create_date)).toISOString(),
    updated_at: new Date(orderChangedAtMs(records)).toISOString(),
    shipments: toShipments(records),
    invoiced: invoices.some(({ state }) => state === 'posted' || state === 'paid'),
    ...toOrderHistory(records),
  }
}

function aboutIt({ sale, draft, addresses }: OrderRecords, { settings }: OrderMappingContext): About {
  if (draft) {
    const { payment_method, fulfillment_method, shipping_address, billing_address } = draft
    const { contact, po_number, notes, requested_date } = draft
    return {
      ...{ payment_method, fulfillment_method, shipping_address, billing_address },
      ...{ contact, po_number, notes, requested_date },
    }
  }
  const address = (id: number | null) =>
    toAddress(
      addresses.find((row) => row.id === id),
      settings,
    )
  return {
    ...{ payment_method: 'CREDIT_TERMS', fulfillment_method: 'DELIVERY' },
    shipping_address: address(sale.shipment_address),
    billing_address: address(sale.invoice_address),
    ...{ contact: null, po_number: sale.reference || null, notes: sale.comment || null },
    requested_date: sale.shipping_date && toIsoDate(sale.shipping_date),
  }
}

/** Tryton's own people change orders too. Its total may be a cent beside ours: it rounds halves to even digits. */
function isAsGiven({ sale, lines }: OrderRecords, { lines: given, totals }: OrderDraft, digits: number): boolean {
  const off = new Decimal(sale.total_amount.decimal).minus(totals.total).abs()
  return off.lte(new Decimal(10).pow(-digits).times(2 * given.length)) && hasSameLines(lines, given, digits)
}
