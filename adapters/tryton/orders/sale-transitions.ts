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
import { readSaleLines, type SaleRow } from './order-records.ts'
import { hasOverusedCoupon } from './sale-coupons.ts'
import { formatRefusal, type OrderRefusal, parseCancellation, parseRefusal } from './sale-description.ts'
import { hasSameLines, priceAfterPromotions } from './sale-line-comparison.ts'
import { createWarningConfirmation } from './warning-confirmation.ts'

const Anything = responseSchema(Type.Unknown())
const LOCK_TRIES = 4
const LOCK_PAUSE_MS = 150

export interface SaleTransitionOptions {
  credit: CreditReader
  random(): number
}

/** One step of a sale towards its end: from draft to quotation, from there to confirmed, or to a refusal. What it came to is read anew. */
export function createSaleTransition(ledger: AccountingContext, { credit, random }: SaleTransitionOptions) {
  const { rpc, amount } = ledger
  const past = createWarningConfirmation(rpc, ledger.settings)

  /** A sale that changed since it was read is looked at again, and not acted upon. What is refused is said in words that are known. */
  const unchanged = ({ id, _timestamp }: SaleRow) => ({
    ...{ _timestamp: { [`sale.sale,${id}`]: _timestamp }, language: 'en' },
  })

  async function act(sale: SaleRow, method: 'quote' | 'confirm', call: Call): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await past(() => rpc(Anything, `sale.sale.${method}`, [[sale.id]], call, unchanged(sale)), call)
        return
      } catch (error) {
        if (!(error instanceof UpstreamError) || !error.retryable) throw error
        if (error instanceof ConcurrentWriteError) return
        if (tries === LOCK_TRIES) throw error
        await waitWithAbort(pause(LOCK_PAUSE_MS * tries * (0.5 + random())), call)
      }
    }
  }

  async function refuse(sale: SaleRow, refused: OrderRefusal, call: Call): Promise<void> {
    try {
      const values = { description: formatRefusal(refused) }
      await rpc(Anything, 'sale.sale.write', [[sale.id], values], call, unchanged(sale))
    } catch (error) {
      if (error instanceof ConcurrentWriteError) return
      throw error
    }
    await rpc(Anything, 'sale.sale.cancel', [[sale.id]], call)
  }

  async function overLimit({ totals, customer_id, payment_method }: OrderDraft, call: Call) {
    if (payment_method !== 'CREDIT_TERMS') return null
    const left = await credit.available(customer_id, call)
    const shown = left && amount(left.toFixed())
    return left?.gte(totals.total) ? null : toOrderRefusal('OVER_CREDIT_LIMIT', [], shown)
  }

  async function quote(sale: SaleRow, draft: OrderDraft, call: Call): Promise<void> {
    const draftOf = await readAttachedDrafts(rpc, [sale.id], call)
    // Whoever made it did not come to this.
    if (!draftOf(sale)) await attachDraft(rpc, sale.id, draft, call)
    const agreed = isAgreed(sale, draft.lines) && !(await hasOverusedCoupon(ledger, draft, call))
    return agreed ? act(sale, 'quote', call) : refuse(sale, toOrderRefusal('TOTALS_DISAGREE'), call)
  }

  function isAgreed({ untaxed_amount, tax_amount }: SaleRow, lines: OrderDraft['lines']): boolean {
    const digits = currencyDigits(ledger)
    // Prices and rates are compared on their own: what is left is rounding, of each line once more where it has several taxes.
    const slack = new Decimal(10).pow(-digits).times(lines.length)
    return computeSaleTotals(lines, digits).some(
      ({ untaxed, tax }) =>
        new Decimal(untaxed).eq(untaxed_amount.decimal) && new Decimal(tax).minus(tax_amount.decimal).abs().lte(slack),
    )
  }

  /** The limit is held by Tryton itself, in the step that confirms; it counts without tax, so the tax is looked at before. */
  async function confirm(sale: SaleRow, draft: OrderDraft, call: Call): Promise<void> {
    const rows = await readSaleLines(ledger, [sale.id], call)
    const last = draft.lines.map((line, i) => ({
      ...line,
      unit_price: rows[i] ? priceAfterPromotions(rows[i]) : line.unit_price,
    }))
    // A quotation may have been given a promotion that nobody was told of, or not the one that somebody was.
    if (!hasSameLines(rows, draft.lines, currencyDigits(ledger)) || !isAgreed(sale, last))
      return refuse(sale, toOrderRefusal('TOTALS_DISAGREE'), call)
    const over = await overLimit(draft, call)
    return over ? refuse(sale, over, call) : act(sale, 'confirm', call)
  }

  return async (sale: SaleRow, draft: OrderDraft, call: Call): Promise<void> => {
    // Whoever wrote that did not come to this.
    if (parseRefusal(sale.description) || parseCancellation(sale.description)) {
      await rpc(Anything, 'sale.sale.cancel', [[sale.id]], call)
      return
    }
    try {
      await (sale.state === 'draft' ? quote : confirm)(sale, draft, call)
    } catch (error) {
      const reason = error instanceof TrytonUserError ? reasonOf(error.words, draft) : null
      if (!reason) throw error
      await refuse(sale, reason === 'OVER_CREDIT_LIMIT' ? await limitReached(draft, call) : reason, call)
    }
  }

  async function limitReached({ customer_id }: OrderDraft, call: Call): Promise<OrderRefusal> {
    const left = await credit.available(customer_id, call)
    return toOrderRefusal('OVER_CREDIT_LIMIT', [], left && amount(left.toFixed()))
  }
}

/** What Tryton's words mean; `null`: something that an operator must mend, and that does not make the order impossible. */
function reasonOf(said: string, { lines }: OrderDraft): OrderRefusal | 'OVER_CREDIT_LIMIT' | null {
  // Of a customer who is dunned, whatever is left of the limit.
  if (/has reached the credit limit level of/i.test(said)) return toOrderRefusal('ACCOUNT_ON_HOLD')
  if (/has reached the(ir)? credit limit/i.test(said)) return 'OVER_CREDIT_LIMIT'
  if (!/forcast quantity|forecast quantity/i.test(said)) return null
  return toOrderRefusal('LINE_UNAVAILABLE', [
    ...new Set(lines.map(({ sku }) => sku).filter((sku) => said.includes(`[${sku}]`))),
  ])
}
