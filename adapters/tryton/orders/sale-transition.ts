import { Decimal } from 'decimal.js'
import type { Call } from '../../../src/ports/call.ts'
import type { OrderDraft } from '../../../src/ports/order.ts'
import { dateInTimeZone } from '../../calendar-day.ts'
import { TrytonUserError } from '../client/rpc-errors.ts'
import type { TrytonContext } from '../context.ts'
import { currencyDigits } from '../currency-digits.ts'
import type { CreditReader } from '../customers/credit-reader.ts'
import { computeSaleTotals, type TaxedLine } from '../pricing/sale-totals.ts'
import { combinedTaxRate, toTaxLabel } from '../pricing/tax-table.ts'
import { hasSameDelivery, hasSameLines } from './compare-sale-lines.ts'
import { toOrderRefusal } from './order-check.ts'
import { attachDraft, readAttachedDrafts } from './order-draft-attachment.ts'
import { readSaleLines, type SaleLineRow, type SaleRow } from './order-record-reader.ts'
import { hasOverusedCoupon } from './sale-coupons.ts'
import { priceAfterPromotions } from './sale-line-prices.ts'
import { type OrderRefusal, parseCancellation, parseRefusal } from './sale-outcome-text.ts'
import { createSaleWrites } from './sale-transition-writes.ts'

export interface SaleTransitionOptions {
  credit: CreditReader
  random(): number
}

/**
 * Returns a function that moves a sale one step: from draft to quotation, from quotation to confirmed, or to a refusal.
 * The caller reads the result.
 */
export function createSaleTransition(context: TrytonContext, { credit, random }: SaleTransitionOptions) {
  const { rpc, facts, formatAmount } = context
  const writes = createSaleWrites(context, random)
  const digits = currencyDigits(context)

  async function checkCredit(draft: OrderDraft, call: Call): Promise<OrderRefusal | null> {
    if (draft.payment_method !== 'CREDIT_TERMS') return null
    const availableCredit = await credit.readAvailableCredit(draft.customer_id, call)
    return availableCredit?.gte(draft.totals.total) ? null : toCreditRefusal(availableCredit)
  }

  const toCreditRefusal = (availableCredit: Decimal | null) =>
    toOrderRefusal('OVER_CREDIT_LIMIT', [], availableCredit && formatAmount(availableCredit.toFixed()))

  async function quote(sale: SaleRow, draft: OrderDraft, call: Call): Promise<void> {
    const draftOf = await readAttachedDrafts(rpc, [sale.id], call)
    // The process that created the sale did not attach the draft.
    if (!draftOf(sale)) await attachDraft(rpc, sale.id, draft, call)
    const isAccepted = hasSameTotals(sale, draft.lines, digits) && !(await hasOverusedCoupon(context, draft, call))
    return isAccepted
      ? writes.runTransition(sale, 'quote', call)
      : writes.refuse(sale, toOrderRefusal('TOTALS_DISAGREE'), call)
  }

  /** Returns the lines of a delivery with the taxes that Tryton put on them. */
  async function toTaxedLines(rows: readonly SaleLineRow[], call: Call): Promise<TaxedLine[]> {
    const taxes = await context.taxes.readTaxTable(call)
    const today = dateInTimeZone(facts.timeZone, facts.now())
    return rows.map((row) => ({
      quantity: String(row.quantity ?? 0),
      unit_price: priceAfterPromotions(row),
      tax: { code: toTaxLabel(row.taxes, taxes).code, rate: combinedTaxRate(row.taxes, taxes, today) ?? '0' },
    }))
  }

  /** Confirms the sale. Tryton enforces the limit in this step but counts without tax, so Forecourt checks it with tax first. */
  async function confirm(sale: SaleRow, draft: OrderDraft, call: Call): Promise<void> {
    const { lines: rows, deliveryLines } = await readSaleLines(context, [sale.id], call)
    const finalLines = draft.lines.map((line, i) => ({
      ...line,
      unit_price: rows[i] ? priceAfterPromotions(rows[i]) : line.unit_price,
    }))
    // The quotation may have applied a promotion that the shopper was not shown, or not the one that was shown.
    const delivered = deliveryLines.length === 0 ? [] : await toTaxedLines(deliveryLines, call)
    const isAsOrdered =
      hasSameLines(rows, draft.lines, digits) &&
      hasSameDelivery(deliveryLines, draft.totals.shipping_total) &&
      hasSameDeliveryTax(delivered, draft, digits)
    if (!isAsOrdered || !hasSameTotals(sale, [...finalLines, ...delivered], digits))
      return writes.refuse(sale, toOrderRefusal('TOTALS_DISAGREE'), call)
    const creditRefusal = await checkCredit(draft, call)
    return creditRefusal ? writes.refuse(sale, creditRefusal, call) : writes.runTransition(sale, 'confirm', call)
  }

  return async (sale: SaleRow, draft: OrderDraft, call: Call): Promise<void> => {
    // The process that wrote the outcome did not cancel the sale.
    if (parseRefusal(sale.description) || parseCancellation(sale.description)) {
      await writes.cancel(sale, call)
      return
    }
    try {
      await (sale.state === 'draft' ? quote : confirm)(sale, draft, call)
    } catch (error) {
      const reason = error instanceof TrytonUserError ? parseReason(error.fullText, draft) : null
      if (!reason) throw error
      const refusal =
        reason === 'OVER_CREDIT_LIMIT'
          ? toCreditRefusal(await credit.readAvailableCredit(draft.customer_id, call))
          : reason
      await writes.refuse(sale, refusal, call)
    }
  }
}

/** Compares the totals of a sale with those of the order's lines. */
function hasSameTotals({ untaxed_amount, tax_amount }: SaleRow, lines: readonly TaxedLine[], digits: number): boolean {
  // Prices and rates are compared separately; what is left is rounding, once more per line with several taxes.
  const tolerance = new Decimal(10).pow(-digits).times(lines.length)
  return computeSaleTotals(lines, digits).some(
    ({ untaxed, tax }) =>
      new Decimal(untaxed).eq(untaxed_amount.decimal) &&
      new Decimal(tax).minus(tax_amount.decimal).abs().lte(tolerance),
  )
}

/** Compares the tax on the delivery with the part of the order's tax that is not on its lines. */
function hasSameDeliveryTax(delivered: readonly TaxedLine[], { lines, totals }: OrderDraft, digits: number): boolean {
  const ordered = lines.reduce((rest, { tax }) => rest.minus(tax.amount), new Decimal(totals.tax_total))
  const tolerance = new Decimal(10).pow(-digits).times(delivered.length)
  return computeSaleTotals(delivered, digits).some(({ tax }) => ordered.minus(tax).abs().lte(tolerance))
}

/**
 * Returns the refusal that an error text of Tryton means; `null` for one that an operator must fix and that does not
 * rule out the order.
 */
function parseReason(text: string, { lines }: OrderDraft): OrderRefusal | 'OVER_CREDIT_LIMIT' | null {
  // A customer with dunning is on hold, whatever is left of the limit.
  if (/has reached the credit limit level of/i.test(text)) return toOrderRefusal('ACCOUNT_ON_HOLD')
  // The carrier does not go to the address any more.
  if (/you must change the carrier/i.test(text)) return toOrderRefusal('TOTALS_DISAGREE')
  if (/has reached the(ir)? credit limit/i.test(text)) return 'OVER_CREDIT_LIMIT'
  if (!/forcast quantity|forecast quantity/i.test(text)) return null
  return toOrderRefusal('LINE_UNAVAILABLE', [
    ...new Set(lines.map(({ sku }) => sku).filter((sku) => text.includes(`[${sku}]`))),
  ])
}
