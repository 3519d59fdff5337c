import { Decimal } from 'decimal.js'
import type { Invoice, InvoiceLine } from '../../../src/ports/invoice.ts'
import { dateInTimeZone, startOfDay } from '../../calendar-day.ts'
import { formatDecimal } from '../../decimal-format.ts'
import { toEpochMs, toIsoDate } from '../client/tryton-values.ts'
import type { TrytonContext } from '../context.ts'
import { currencyDigits } from '../currency-digits.ts'
import { toAddress } from '../customers/addresses.ts'
import { combinedTaxRate, type TaxRow, toTaxLabel } from '../pricing/tax-table.ts'
import type { AccountMoveLineRow, InvoiceLineRow, InvoiceRecords, InvoiceRow } from './invoice-record-reader.ts'

interface InvoiceMappingContext extends Pick<TrytonContext, 'formatAmount' | 'settings' | 'facts'> {
  taxes: Map<number, TaxRow>
}

/** Maps an invoice. One with a negative total is a credit note, whose amounts are written without a sign. */
export function toInvoice(records: InvoiceRecords, context: InvoiceMappingContext): Invoice {
  const { invoice, sale, address, taxes, payments } = records
  const { formatAmount, facts, settings } = context
  const isCreditNote = new Decimal(invoice.total_amount.decimal).lt(0)
  const formatUnsigned = (value: Decimal.Value) =>
    formatAmount((isCreditNote ? new Decimal(value).neg() : new Decimal(value)).toFixed())
  const issueDate = findIssueDate(invoice, facts.timeZone)
  const total = new Decimal(invoice.total_amount.decimal)
  const status = toInvoiceStatus(invoice)
  // A cancelled invoice is neither owed nor paid.
  const balance = new Decimal(invoice.amount_to_pay.decimal)
  return {
    invoice_id: String(invoice.id),
    invoice_number: invoice.number ?? String(invoice.id),
    // A sale that was entered in Tryton is not an order of the storefront.
    order_id: sale?.web_id ? String(sale.id) : null,
    order_reference: sale?.web_id || null,
    order_number: sale?.number ?? null,
    po_number: sale?.reference || null,
    type: isCreditNote ? 'CREDIT_NOTE' : 'INVOICE',
    status,
    currency: invoice['currency.'].code,
    issued_at: startOfDay(issueDate, facts.timeZone),
    due_date: toDueDate(records.dueLines) ?? issueDate,
    terms: invoice['payment_term.']?.name ?? null,
    lines: records.lines.map((line) => toLine(line, context, formatUnsigned)),
    taxes: taxes.map(({ tax, description, base, amount: taxAmount }) => {
      const ids = tax === null ? [] : [tax]
      const { code, name } = toTaxLabel(ids, context.taxes)
      const rate = formatDecimal(combinedTaxRate(ids, context.taxes, issueDate) ?? '0')
      return {
        code,
        name: description || name,
        rate,
        base: formatUnsigned(base.decimal),
        amount: formatUnsigned(taxAmount.decimal),
      }
    }),
    subtotal: formatUnsigned(invoice.untaxed_amount.decimal),
    tax_total: formatUnsigned(invoice.tax_amount.decimal),
    total: formatUnsigned(total),
    balance: formatUnsigned(balance),
    amount_paid: formatUnsigned(status === 'VOID' ? 0 : total.minus(balance)),
    payments: payments.map((line) => ({
      paid_at: line.date ? startOfDay(toIsoDate(line.date), facts.timeZone) : startOfDay(issueDate, facts.timeZone),
      amount: formatUnsigned(new Decimal(line.credit.decimal).minus(line.debit.decimal)),
      method: line['journal.']?.name ?? null,
      reference: line.description || line['move.'].number,
    })),
    billing_address: toAddress(address, settings),
  }
}

export function toInvoiceStatus({ state, total_amount, amount_to_pay }: InvoiceRow): Invoice['status'] {
  if (state === 'cancelled') return 'VOID'
  if (state === 'paid') return 'PAID'
  const remaining = new Decimal(amount_to_pay.decimal)
  if (remaining.isZero()) return 'PAID'
  return remaining.eq(total_amount.decimal) ? 'OPEN' : 'PARTIALLY_PAID'
}

/** Returns the first due date that is not settled, or the last one when all are settled. */
export function toDueDate(dueLines: readonly AccountMoveLineRow[]): string | null {
  const toSortedDates = (lines: readonly AccountMoveLineRow[]) =>
    lines.flatMap(({ maturity_date: date }) => (date ? [toIsoDate(date)] : [])).sort()
  return (
    toSortedDates(dueLines.filter(({ reconciliation }) => reconciliation === null))[0] ??
    toSortedDates(dueLines).at(-1) ??
    null
  )
}

function findIssueDate({ invoice_date, create_date }: InvoiceRow, timeZone: string): string {
  if (invoice_date) return toIsoDate(invoice_date)
  return dateInTimeZone(timeZone, new Date(create_date ? toEpochMs(create_date) : 0))
}

function toLine(
  row: InvoiceLineRow,
  { formatAmount, taxes, facts }: InvoiceMappingContext,
  formatUnsigned: (value: Decimal) => string,
): InvoiceLine {
  const net = new Decimal(row.amount.decimal)
  const rate = combinedTaxRate(row.taxes, taxes, dateInTimeZone(facts.timeZone, facts.now())) ?? '0'
  const tax = net.times(rate).toDecimalPlaces(currencyDigits({ formatAmount }), Decimal.ROUND_HALF_EVEN)
  const sku = row['product.']?.code || null
  return {
    sku,
    description: row.description || row['product.']?.name || sku || '',
    uom: row['unit.']?.symbol ?? null,
    quantity: formatDecimal(Math.abs(row.quantity ?? 0)),
    unit_price: formatAmount(row.unit_price?.decimal ?? '0'),
    discount: formatAmount('0'),
    tax: formatUnsigned(tax),
    line_total: formatUnsigned(net.plus(tax)),
  }
}
