import { setTimeout as pause } from 'node:timers/promises'
import { Decimal } from 'decimal.js'
import { Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { Call } from '../../../src/ports/call.ts'
import type { OrderDraft } from '../../../src/ports/order.ts'
import { shape } from '../../../src/upstream/response-schema.ts'
import type { CreditReader } from '../customers/credit-reader.ts'
import { keepDraft, readDrafts } from './draft-attachment.ts'
import { digitsOf, type Ledger } from '../accounting-context.ts'
import { refusal } from './order-check.ts'
import { cancelledOf, type RefusedMark, refusedMark, refusedOf } from './sale-description.ts'
import { readLines, type SaleRow } from './order-records.ts'
import { Overtaken, Refused } from '../client/rpc-errors.ts'
import { isOverused } from './sale-coupons.ts'
import { areSold, lastPrice } from './sale-line-comparison.ts'
import { trytonTotals } from '../pricing/sale-totals.ts'
import { waited } from '../client/shared-load.ts'
import { createWarnings } from './warning-confirmation.ts'

const Anything = shape(Type.Unknown())
const LOCK_TRIES = 4
const LOCK_PAUSE_MS = 150

export interface Confirming {
  credit: CreditReader
  random(): number
}

/** One step of a sale towards its end: from draft to quotation, from there to confirmed, or to a refusal. What it came to is read anew. */
export function saleSteps(ledger: Ledger, { credit, random }: Confirming) {
  const { rpc, amount } = ledger
  const past = createWarnings(rpc, ledger.settings)

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
        if (error instanceof Overtaken) return
        if (tries === LOCK_TRIES) throw error
        await waited(pause(LOCK_PAUSE_MS * tries * (0.5 + random())), call)
      }
    }
  }

  async function refuse(sale: SaleRow, refused: RefusedMark, call: Call): Promise<void> {
    try {
      const values = { description: refusedMark(refused) }
      await rpc(Anything, 'sale.sale.write', [[sale.id], values], call, unchanged(sale))
    } catch (error) {
      if (error instanceof Overtaken) return
      throw error
    }
    await rpc(Anything, 'sale.sale.cancel', [[sale.id]], call)
  }

  async function overLimit({ totals, customer_id, payment_method }: OrderDraft, call: Call) {
    if (payment_method !== 'CREDIT_TERMS') return null
    const left = await credit.available(customer_id, call)
    const shown = left && amount(left.toFixed())
    return left?.gte(totals.total) ? null : refusal('OVER_CREDIT_LIMIT', [], shown)
  }

  async function quote(sale: SaleRow, draft: OrderDraft, call: Call): Promise<void> {
    const draftOf = await readDrafts(rpc, [sale.id], call)
    // Whoever made it did not come to this.
    if (!draftOf(sale)) await keepDraft(rpc, sale.id, draft, call)
    const agreed = isAgreed(sale, draft.lines) && !(await isOverused(ledger, draft, call))
    return agreed ? act(sale, 'quote', call) : refuse(sale, refusal('TOTALS_DISAGREE'), call)
  }

  function isAgreed({ untaxed_amount, tax_amount }: SaleRow, lines: OrderDraft['lines']): boolean {
    const digits = digitsOf(ledger)
    // Prices and rates are compared on their own: what is left is rounding, of each line once more where it has several taxes.
    const slack = new Decimal(10).pow(-digits).times(lines.length)
    return trytonTotals(lines, digits).some(
      ({ untaxed, tax }) =>
        new Decimal(untaxed).eq(untaxed_amount.decimal) && new Decimal(tax).minus(tax_amount.decimal).abs().lte(slack),
    )
  }

  /** The limit is held by Tryton itself, in the step that confirms; it counts without tax, so the tax is looked at before. */
  async function confirm(sale: SaleRow, draft: OrderDraft, call: Call): Promise<void> {
    const rows = await readLines(ledger, [sale.id], call)
    const last = draft.lines.map((line, i) => ({ ...line, unit_price: rows[i] ? lastPrice(rows[i]) : line.unit_price }))
    // A quotation may have been given a promotion that nobody was told of, or not the one that somebody was.
    if (!areSold(rows, draft.lines, digitsOf(ledger)) || !isAgreed(sale, last))
      return refuse(sale, refusal('TOTALS_DISAGREE'), call)
    const over = await overLimit(draft, call)
    return over ? refuse(sale, over, call) : act(sale, 'confirm', call)
  }

  return async (sale: SaleRow, draft: OrderDraft, call: Call): Promise<void> => {
    // Whoever wrote that did not come to this.
    if (refusedOf(sale.description) || cancelledOf(sale.description)) {
      await rpc(Anything, 'sale.sale.cancel', [[sale.id]], call)
      return
    }
    try {
      await (sale.state === 'draft' ? quote : confirm)(sale, draft, call)
    } catch (error) {
      const reason = error instanceof Refused ? reasonOf(error.words, draft) : null
      if (!reason) throw error
      await refuse(sale, reason === 'OVER_CREDIT_LIMIT' ? await limitReached(draft, call) : reason, call)
    }
  }

  async function limitReached({ customer_id }: OrderDraft, call: Call): Promise<RefusedMark> {
    const left = await credit.available(customer_id, call)
    return refusal('OVER_CREDIT_LIMIT', [], left && amount(left.toFixed()))
  }
}

/** What Tryton's words mean; `null`: something that an operator must mend, and that does not make the order impossible. */
function reasonOf(said: string, { lines }: OrderDraft): RefusedMark | 'OVER_CREDIT_LIMIT' | null {
  // Of a customer who is dunned, whatever is left of the limit.
  if (/has reached the credit limit level of/i.test(said)) return refusal('ACCOUNT_ON_HOLD')
  if (/has reached the(ir)? credit limit/i.test(said)) return 'OVER_CREDIT_LIMIT'
  if (!/forcast quantity|forecast quantity/i.test(said)) return null
  return refusal('LINE_UNAVAILABLE', [
    ...new Set(lines.map(({ sku }) => sku).filter((sku) => said.includes(`[${sku}]`))),
  ])
}
