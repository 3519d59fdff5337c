import { Decimal } from 'decimal.js'
import type { Invoice, InvoiceChange, InvoiceLine } from '../../../src/ports/invoice.ts'
import type { TaxTotal } from '../../../src/ports/order.ts'
import { startOfDay } from '../../calendar-day.ts'
import { formatDecimal } from '../../decimal-format.ts'
import { toIsoTime, toText } from '../client/odoo-values.ts'
import type { OdooContext } from '../context.ts'
import { toAddress } from '../customers/addresses.ts'
import { toReference } from '../orders/sale-origin.ts'
import { combineTaxes, type TaxRow } from '../pricing/combined-tax.ts'
import type { InvoiceLineRow, InvoiceRow } from './invoice-schemas.ts'

export interface InvoiceSources extends Pick<OdooContext, 'facts' | 'formatAmount' | 'digits'> {
  countryCode: string
  taxes: ReadonlyMap<number, TaxRow>
}

const createFormat =
  ({ formatAmount, digits }: InvoiceSources) =>
  (value: Decimal.Value) =>
    formatAmount(new Decimal(value).toDecimalPlaces(digits, Decimal.ROUND_HALF_UP).toFixed())

const goodsOf = (row: InvoiceRow) =>
  row.invoice_line_ids.filter(({ display_type }) => display_type === 'product' || !display_type)

const ordersOf = (row: InvoiceRow) =>
  row.invoice_line_ids.flatMap(({ sale_line_ids }) => sale_line_ids.map(({ order_id }) => order_id))

/** Returns an invoice as a customer may see it: with an order only when that is their own. */
export function toInvoice(row: InvoiceRow, sources: InvoiceSources, customer: number): Invoice {
  const format = createFormat(sources)
  const order = ordersOf(row).find(({ partner_id }) => partner_id === customer)
  const isVoid = row.state === 'cancel'
  const payments = isVoid || !row.invoice_payments_widget ? [] : row.invoice_payments_widget.content
  const balance = isVoid ? new Decimal(0) : new Decimal(row.amount_residual)
  return {
    invoice_id: String(row.id),
    invoice_number: toText(row.name) ?? String(row.id),
    order_id: order ? String(order.id) : null,
    order_reference: order ? toReference(order.origin) : null,
    order_number: order?.name ?? null,
    po_number: toText(row.ref),
    type: row.move_type === 'out_refund' ? 'CREDIT_NOTE' : 'INVOICE',
    status: toStatus(row),
    issued_at: startOfDay(row.invoice_date, sources.facts.timeZone),
    due_date: toText(row.invoice_date_due) ?? row.invoice_date,
    terms: row.invoice_payment_term_id ? row.invoice_payment_term_id.name : null,
    currency: sources.facts.currency,
    lines: goodsOf(row).map((line) => toLine(line, format)),
    taxes: toTaxTotals(row, sources.taxes, format),
    subtotal: format(row.amount_untaxed),
    tax_total: format(row.amount_tax),
    total: format(row.amount_total),
    amount_paid: format(isVoid ? 0 : new Decimal(row.amount_total).minus(balance)),
    balance: format(balance),
    payments: payments.map(({ amount, date, payment_method_name, ref }) => ({
      paid_at: startOfDay(date, sources.facts.timeZone),
      amount: format(amount),
      method: toText(payment_method_name),
      reference: toText(ref),
    })),
    billing_address: toAddress(row.partner_id, sources.countryCode),
  }
}

/** The customer of an invoice is that of all its orders, or the company that owes it. */
export function toInvoiceChange(row: InvoiceRow, sources: InvoiceSources): InvoiceChange {
  const [first, ...others] = new Set(ordersOf(row).map(({ partner_id }) => partner_id))
  const customer = first === undefined || others.length > 0 ? row.commercial_partner_id : first
  return { ...toInvoice(row, sources, customer), customer_id: String(customer), updated_at: toIsoTime(row.write_date) }
}

function toStatus({ state, payment_state }: InvoiceRow): Invoice['status'] {
  if (state === 'cancel') return 'VOID'
  if (payment_state === 'not_paid' || payment_state === 'blocked') return 'OPEN'
  return payment_state === 'partial' ? 'PARTIALLY_PAID' : 'PAID'
}

function toLine(line: InvoiceLineRow, format: (value: Decimal.Value) => string): InvoiceLine {
  const gross = new Decimal(line.price_unit).times(line.quantity)
  return {
    sku: line.product_id ? toText(line.product_id.default_code) : null,
    description: toText(line.name) ?? '',
    quantity: formatDecimal(line.quantity),
    uom: line.product_uom_id ? line.product_uom_id.name : null,
    unit_price: format(line.price_unit),
    discount: format(gross.times(line.discount).div(100)),
    tax: format(new Decimal(line.price_total).minus(line.price_subtotal)),
    line_total: format(line.price_total),
  }
}

function toTaxTotals(
  row: InvoiceRow,
  taxes: InvoiceSources['taxes'],
  format: (value: Decimal.Value) => string,
): TaxTotal[] {
  const groups = Map.groupBy(goodsOf(row), ({ tax_ids }) => combineTaxes(tax_ids, taxes)?.code ?? 'TAX')
  return [...groups].map(([code, lines]) => {
    const tax = combineTaxes(lines[0]!.tax_ids, taxes)
    const amounts = lines.map(({ price_total, price_subtotal }) => new Decimal(price_total).minus(price_subtotal))
    return {
      code,
      name: tax?.name ?? 'Tax',
      rate: formatDecimal(tax?.rate ?? 0),
      base: format(Decimal.sum(0, ...lines.map(({ price_subtotal }) => price_subtotal))),
      amount: format(Decimal.sum(0, ...amounts)),
    }
  })
}
