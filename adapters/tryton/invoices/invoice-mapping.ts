import { Decimal } from 'decimal.js'
import type { Invoice, InvoiceLine } from '../../../src/ports/invoice.ts'
import { formatDecimal } from '../../amount-format.ts'
import { type AccountingContext, currencyDigits } from '../accounting-context.ts'
import { toEpochMs, toIsoDate } from '../client/tryton-values.ts'
import { toAddress } from '../customers/addresses.ts'
import { toTaxLabel } from '../pricing/sku-taxes.ts'
import { combinedTaxRate, type TaxRow } from '../pricing/tax-table.ts'
import { dateInTimeZone, startOfDay } from '../time-zone.ts'
import type { AccountMoveLineRow, InvoiceLineRow, InvoiceRecords, InvoiceRow } from './invoice-records.ts'

interface Viewing extends Pick<AccountingContext, 'amount' | 'settings' | 'facts'> {
  taxes: Map<number, TaxRow>
}

/** A customer's invoice whose amounts are below 0 is a credit note here; its amounts are written without the sign. */
export function toInvoice(records: InvoiceRecords, viewing: Viewing): Invoice {
  const { invoice, sale, address, taxes, payments } = records
  const { amount, facts, settings } = viewing
  const isNote = new Decimal(invoice.total_amount.decimal).lt(0)
  const written = (value: Decimal.Value) => amount((isNote ? new Decimal(value).neg() : new Decimal(value)).toFixed())
  const issued = issuedOn(invoice, facts.timeZone)
  const total = new Decimal(invoice.total_amount.decimal)
  const status = toInvoiceStatus(invoice)
  // One that is called off is owed no longer, and was not paid.
  const balance = new Decimal(invoice.amount_to_pay.decimal)
  return {
    ...{ invoice_id: String(invoice.id), invoice_number: invoice.number ?? String(invoice.id) },
    // A sale that people made by hand is no order of the storefront.
    ...{ order_id: sale?.web_id ? String(sale.id) : null, order_reference: sale?.web_id || null },
    ...{ order_number: sale?.number ?? null, po_number: sale?.reference || null },
    ...{ type: isNote ? 'CREDIT_NOTE' : 'INVOICE', status, currency: invoice['currency.'].code },
    ...{ issued_at: startOfDay(issued, facts.timeZone), due_date: toDueDate(records.dues) ?? issued },
    terms: invoice['payment_term.']?.name ?? null,
    lines: records.lines.map((line) => lineOf(line, viewing, written)),
    taxes: taxes.map(({ tax, description, base, amount: own }) => {
      const ids = tax === null ? [] : [tax]
      const { code, name } = toTaxLabel(ids, viewing.taxes)
      const rate = formatDecimal(combinedTaxRate(ids, viewing.taxes, issued) ?? '0')
      return { code, name: description || name, rate, base: written(base.decimal), amount: written(own.decimal) }
    }),
    ...{ subtotal: written(invoice.untaxed_amount.decimal), tax_total: written(invoice.tax_amount.decimal) },
    ...{ total: written(total), balance: written(balance) },
    amount_paid: written(status === 'VOID' ? 0 : total.minus(balance)),
    payments: payments.map((line) => ({
      paid_at: line.date ? startOfDay(toIsoDate(line.date), facts.timeZone) : startOfDay(issued, facts.timeZone),
      amount: written(new Decimal(line.credit.decimal).minus(line.debit.decimal)),
      ...{ method: line['journal.']?.name ?? null, reference: line.description || line['move.'].number },
    })),
    billing_address: toAddress(address, settings),
  }
}

export function toInvoiceStatus({ state, total_amount, amount_to_pay }: InvoiceRow): Invoice['status'] {
  if (state === 'cancelled') return 'VOID'
  if (state === 'paid') return 'PAID'
  const left = new Decimal(amount_to_pay.decimal)
  if (left.isZero()) return 'PAID'
  return left.eq(total_amount.decimal) ? 'OPEN' : 'PARTIALLY_PAID'
}

/** The first day on which something is due that is not settled; of a settled one the last. */
export function toDueDate(dues: readonly AccountMoveLineRow[]): string | null {
  const days = (lines: readonly AccountMoveLineRow[]) =>
    lines.flatMap(({ maturity_date: at }) => (at ? [toIsoDate(at)] : [])).sort()
  return days(dues.filter(({ reconciliation }) => reconciliation === null))[0] ?? days(dues).at(-1) ?? null
}

function issuedOn({ invoice_date, create_date }: InvoiceRow, timeZone: string): string {
  if (invoice_date) return toIsoDate(invoice_date)
  return dateInTimeZone(timeZone, new Date(create_date ? toEpochMs(create_date) : 0))
}

function lineOf(
  row: InvoiceLineRow,
  { amount, taxes, facts }: Viewing,
  written: (value: Decimal) => string,
): InvoiceLine {
  const net = new Decimal(row.amount.decimal)
  const rate = combinedTaxRate(row.taxes, taxes, dateInTimeZone(facts.timeZone, facts.now())) ?? '0'
  const tax = net.times(rate).toDecimalPlaces(currencyDigits({ amount }), Decimal.ROUND_HALF_EVEN)
  const sku = row['product.']?.code || null
  return {
    ...{ sku, description: row.description || row['product.']?.name || sku || '', uom: row['unit.']?.symbol ?? null },
    quantity: formatDecimal(Math.abs(row.quantity ?? 0)),
    unit_price: amount(row.unit_price?.decimal ?? '0'),
    discount: amount('0'),
    ...{ tax: written(tax), line_total: written(net.plus(tax)) },
  }
}
