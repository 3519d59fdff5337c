import { setTimeout as pause } from 'node:timers/promises'
import { Decimal } from 'decimal.js'
import { Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { Call } from '../../../src/ports/call.ts'
import type { OrderDraft } from '../../../src/ports/order.ts'
import { responseSchema } from '../../../src/upstream/response-schema.ts'
import { type AccountingContext, currencyDigits } from '../accounting-context.ts'
import { ConcurrentWriteError, TrytonUserError } from '../client/rpc-errors.ts'
import { waitWithAbort } from '../client/shared-load.ts'
import type { CreditReader } from '../customers/credit-reader.ts'
import { computeSaleTotals } from '../pricing/sale-totals.ts'
import { attachDraft, readAttachedDrafts } from './draft-attachment.ts'
import { toOrderRefusal } from './order-check.ts'
import { hasSameLines, priceAfterPromotions } from './order-lines.ts'
import { readSaleLines, type SaleRow } from './order-records.ts'
import { hasOverusedCoupon } from './sale-coupons.ts'
import { formatRefusal, type OrderRefusal, parseCancellation, parseRefusal } from './sale-description.ts'
import { createWarningConfirmation } from './warning-confirmation.ts'

const AnyResult = responseSchema(Type.Unknown())
const MAX_LOCK_ATTEMPTS = 4
const LOCK_PAUSE_MS = 150

export interface SaleTransitionOptions {
  credit: CreditReader
  random(): number
}

/**
 * Returns a function that moves a sale one step: from draft to quotation, from quotation to confirmed, or to a refusal.
 * The caller reads the result.
 */
export function createSaleTransition(context: AccountingContext, { credit, random }: SaleTransitionOptions) {
  const { rpc, formatAmount } = context
  const withWarningsConfirmed = createWarningConfirmation(rpc, context.settings)

  /**
   * The context in which Tryton rejects a write to a sale that changed since it was read. In English, so that refusals
   * can be recognised.
   */
  const ifUnchanged = ({ id, _timestamp }: SaleRow) => ({
    _timestamp: { [`sale.sale,${id}`]: _timestamp },
    language: 'en',
  })

  async function runTransition(sale: SaleRow, method: 'quote' | 'confirm', call: Call): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await withWarningsConfirmed(
          () => rpc(AnyResult, `sale.sale.${method}`, [[sale.id]], call, ifUnchanged(sale)),
          call,
        )
        return
      } catch (error) {
        if (!(error instanceof UpstreamError) || !error.retryable) throw error
        if (error instanceof ConcurrentWriteError) return
        if (attempt === MAX_LOCK_ATTEMPTS) throw error
        await waitWithAbort(pause(LOCK_PAUSE_MS * attempt * (0.5 + random())), call)
      }
    }
  }

  async function refuse(sale: SaleRow, refusal: OrderRefusal, call: Call): Promise<void> {
    try {
      const values = { description: formatRefusal(refusal) }
      await rpc(AnyResult, 'sale.sale.write', [[sale.id], values], call, ifUnchanged(sale))
    } catch (error) {
      if (error instanceof ConcurrentWriteError) return
      throw error
    }
    await rpc(AnyResult, 'sale.sale.cancel', [[sale.id]], call)
  }

  async function checkCredit({ totals, customer_id, payment_method }: OrderDraft, call: Call) {
    if (payment_method !== 'CREDIT_TERMS') return null
    const availableCredit = await credit.readAvailableCredit(customer_id, call)
    const formatted = availableCredit && formatAmount(availableCredit.toFixed())
    return availableCredit?.gte(totals.total) ? null : toOrderRefusal('OVER_CREDIT_LIMIT', [], formatted)
  }

  async function quote(sale: SaleRow, draft: OrderDraft, call: Call): Promise<void> {
    const draftOf = await readAttachedDrafts(rpc, [sale.id], call)
    // The process that created the sale did not attach the draft.
    if (!draftOf(sale)) await attachDraft(rpc, sale.id, draft, call)
    const isAccepted = hasSameTotals(sale, draft.lines) && !(await hasOverusedCoupon(context, draft, call))
    return isAccepted ? runTransition(sale, 'quote', call) : refuse(sale, toOrderRefusal('TOTALS_DISAGREE'), call)
  }

  function hasSameTotals({ untaxed_amount, tax_amount }: SaleRow, lines: OrderDraft['lines']): boolean {
    const digits = currencyDigits(context)
    // Prices and rates are compared separately; what is left is rounding, once more per line with several taxes.
    const tolerance = new Decimal(10).pow(-digits).times(lines.length)
    return computeSaleTotals(lines, digits).some(
      ({ untaxed, tax }) =>
        new Decimal(untaxed).eq(untaxed_amount.decimal) &&
        new Decimal(tax).minus(tax_amount.decimal).abs().lte(tolerance),
    )
  }

  /** Confirms the sale. Tryton enforces the limit in this step but counts without tax, so the limit is checked with tax before. */
  async function confirm(sale: SaleRow, draft: OrderDraft, call: Call): Promise<void> {
    const rows = await readSaleLines(context, [sale.id], call)
    const finalLines = draft.lines.map((line, i) => ({
      ...line,
      unit_price: rows[i] ? priceAfterPromotions(rows[i]) : line.unit_price,
    }))
    // The quotation may have applied a promotion that the shopper was not shown, or not the one that was shown.
    if (!hasSameLines(rows, draft.lines, currencyDigits(context)) || !hasSameTotals(sale, finalLines))
      return refuse(sale, toOrderRefusal('TOTALS_DISAGREE'), call)
    const creditRefusal = await checkCredit(draft, call)
    return creditRefusal ? refuse(sale, creditRefusal, call) : runTransition(sale, 'confirm', call)
  }

  return async (sale: SaleRow, draft: OrderDraft, call: Call): Promise<void> => {
    // The process that wrote the outcome did not cancel the sale.
    if (parseRefusal(sale.description) || parseCancellation(sale.description)) {
      await rpc(AnyResult, 'sale.sale.cancel', [[sale.id]], call)
      return
    }
    try {
      await (sale.state === 'draft' ? quote : confirm)(sale, draft, call)
    } catch (error) {
      const reason = error instanceof TrytonUserError ? parseReason(error.words, draft) : null
      if (!reason) throw error
      await refuse(sale, reason === 'OVER_CREDIT_LIMIT' ? await toCreditRefusal(draft, call) : reason, call)
    }
  }

  async function toCreditRefusal({ customer_id }: OrderDraft, call: Call): Promise<OrderRefusal> {
    const availableCredit = await credit.readAvailableCredit(customer_id, call)
    return toOrderRefusal('OVER_CREDIT_LIMIT', [], availableCredit && formatAmount(availableCredit.toFixed()))
  }
}

/**
 * Returns the refusal that an error text of Tryton means; `null` for one that an operator must fix and that does not
 * rule out the order.
 */
function parseReason(text: string, { lines }: OrderDraft): OrderRefusal | 'OVER_CREDIT_LIMIT' | null {
  // A customer with dunning is on hold, whatever is left of the limit.
  if (/has reached the credit limit level of/i.test(text)) return toOrderRefusal('ACCOUNT_ON_HOLD')
  if (/has reached the(ir)? credit limit/i.test(text)) return 'OVER_CREDIT_LIMIT'
  if (!/forcast quantity|forecast quantity/i.test(text)) return null
  return toOrderRefusal('LINE_UNAVAILABLE', [
    ...new Set(lines.map(({ sku }) => sku).filter((sku) => text.includes(`[${sku}]`))),
  ])
}
