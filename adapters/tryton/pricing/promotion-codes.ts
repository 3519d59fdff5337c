import { Decimal } from 'decimal.js'
import type { PromotionReason } from '../../../src/ports/pricing.ts'
import type { CouponRow } from './promotion-reader.ts'
import {
  applyPromotions,
  findEligibleLines,
  isForPriceList,
  isMinimumMet,
  isPromotionOver,
  isPromotionUpcoming,
  type Promotion,
  type PromotionLine,
  type PromotionPrices,
  type PromotionSale,
} from './promotion-rules.ts'

/** A code with what it means in Tryton. */
export interface PromotionCode {
  coupon: CouponRow | null
  promotion: Promotion | undefined
}

export interface PromotionCodeResult {
  /** What the sale costs with the codes that do something. */
  promoted: PromotionPrices
  /** Of each code: why it does nothing; `null`: it does. */
  reasons: (PromotionReason | null)[]
}

/** What a promotion takes off a line, in the currency's digits. */
export type LineDiscountFunction = (line: PromotionLine, price: string) => Decimal

/**
 * Which codes are of use, and what they come to together. A code that takes nothing off is left out, and so are all where Tryton's own
 * promotions, which a sale with a coupon does not get, would take off more.
 */
export function applyPromotionCodes(
  codes: readonly PromotionCode[],
  all: readonly Promotion[],
  sold: PromotionSale,
  off: LineDiscountFunction,
): PromotionCodeResult {
  const taken = new Set<number | undefined>()
  const reasons = codes.map((code) => {
    const reason = barred(code, taken, sold)
    if (reason === null) taken.add(code.promotion?.row.id)
    return reason
  })
  const couponsOf = (indexes: readonly number[]) => new Set(indexes.map((i) => codes[i]!.coupon!['coupon.'].id))
  const at = (indexes: readonly number[]) => applyPromotions(all, couponsOf(indexes), sold)
  const takes = (result: PromotionPrices, promotion?: number) =>
    Decimal.sum(
      0,
      ...sold.lines.map((line) => {
        const { price, promotion: by } = result.prices.get(line.line_id)!
        return promotion === undefined || by === promotion ? off(line, price) : 0
      }),
    )
  const useful = () => reasons.flatMap((reason, i) => (reason === null ? [i] : []))

  for (;;) {
    const used = useful()
    const together = at(used)
    const idle = used.filter((i) => takes(together, codes[i]!.promotion!.row.id).isZero())
    if (idle.length === 0) {
      const alone = used.length === 0 ? null : at([])
      if (!alone || takes(together).gte(takes(alone))) return { promoted: together, reasons }
      for (const i of used) reasons[i] = 'NOT_COMBINABLE'
      continue
    }
    for (const i of idle) {
      const own = at([i])
      const counts = takes(own, codes[i]!.promotion!.row.id).gt(0)
      reasons[i] = counts ? 'NOT_COMBINABLE' : 'NO_ELIGIBLE_LINES'
    }
  }
}

/** What speaks against a code, whatever the others are, but for one before it of the same promotion. */
function barred(
  { coupon, promotion }: PromotionCode,
  taken: ReadonlySet<number | undefined>,
  sold: PromotionSale,
): PromotionReason | null {
  // What cannot be counted here is not known here.
  if (!coupon || !promotion?.formula) return 'UNKNOWN_CODE'
  if (isPromotionOver(promotion, sold.today)) return 'EXPIRED'
  if (isPromotionUpcoming(promotion, sold.today)) return 'NOT_STARTED'
  if (!coupon.active) return 'LIMIT_REACHED'
  if (!isForPriceList(promotion, sold.priceList)) return 'CUSTOMER_NOT_ELIGIBLE'
  const lines = findEligibleLines(promotion.row, sold)
  if (lines.length === 0) return 'NO_ELIGIBLE_LINES'
  const met = isMinimumMet(promotion.row, lines, sold)
  if (met === null || !isCountable(promotion, lines)) return 'UNKNOWN_CODE'
  if (!met) return 'MINIMUM_NOT_MET'
  return taken.has(promotion.row.id) ? 'NOT_COMBINABLE' : null
}

/** Tryton would refuse to quote a sale with a formula that fails, as by a division by zero. */
function isCountable({ formula }: Promotion, lines: readonly PromotionLine[]): boolean {
  try {
    for (const { formulaPrice } of lines) formula!(formulaPrice)
    return true
  } catch {
    return false
  }
}
