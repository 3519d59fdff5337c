import { Decimal } from 'decimal.js'
import type { PromotionReason } from '../../../src/ports/pricing.ts'
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
} from './apply-promotions.ts'
import type { CouponRow } from './promotion-and-coupon-reader.ts'

/** A code with its coupon and promotion in Tryton. */
export interface PromotionCode {
  coupon: CouponRow | null
  promotion: Promotion | undefined
}

export interface PromotionCodeResult {
  /** The prices with the codes that have an effect. */
  promotedPrices: PromotionPrices
  /** The reason why each code has no effect; `null` for a code that has one. */
  reasons: (PromotionReason | null)[]
}

/** Returns the discount of a line at a price, rounded to the digits of the currency. */
export type ComputeDiscount = (line: PromotionLine, price: string) => Decimal

/**
 * Decides which codes apply, and computes their prices together. A code without a discount is left out. All codes are
 * left out when Tryton's automatic promotions, which a sale with a coupon does not get, would discount more.
 */
export function applyPromotionCodes(
  codes: readonly PromotionCode[],
  promotions: readonly Promotion[],
  sale: PromotionSale,
  computeDiscount: ComputeDiscount,
): PromotionCodeResult {
  const usedPromotions = new Set<number | undefined>()
  const reasons = codes.map((code) => {
    const reason = findReason(code, usedPromotions, sale)
    if (reason === null) usedPromotions.add(code.promotion?.row.id)
    return reason
  })
  const couponIds = (indexes: readonly number[]) => new Set(indexes.map((i) => codes[i]!.coupon!['coupon.'].id))
  const applyCoupons = (indexes: readonly number[]) => applyPromotions(promotions, couponIds(indexes), sale)
  const sumDiscounts = (result: PromotionPrices, promotion?: number) =>
    Decimal.sum(
      0,
      ...sale.lines.map((line) => {
        const { price, promotion: appliedId } = result.prices.get(line.line_id)!
        return promotion === undefined || appliedId === promotion ? computeDiscount(line, price) : 0
      }),
    )
  const findUsefulCodes = () => reasons.flatMap((reason, i) => (reason === null ? [i] : []))

  for (;;) {
    const usedIndexes = findUsefulCodes()
    const combined = applyCoupons(usedIndexes)
    const withoutEffect = usedIndexes.filter((i) => sumDiscounts(combined, codes[i]!.promotion!.row.id).isZero())
    if (withoutEffect.length === 0) {
      const withoutCodes = usedIndexes.length === 0 ? null : applyCoupons([])
      if (!withoutCodes || sumDiscounts(combined).gte(sumDiscounts(withoutCodes)))
        return { promotedPrices: combined, reasons }
      for (const i of usedIndexes) reasons[i] = 'NOT_COMBINABLE'
      continue
    }
    for (const i of withoutEffect) {
      const single = applyCoupons([i])
      const hasEffect = sumDiscounts(single, codes[i]!.promotion!.row.id).gt(0)
      reasons[i] = hasEffect ? 'NOT_COMBINABLE' : 'NO_ELIGIBLE_LINES'
    }
  }
}

/** Returns why a code does not apply on its own, or because an earlier one has the same promotion. */
function findReason(
  { coupon, promotion }: PromotionCode,
  usedPromotions: ReadonlySet<number | undefined>,
  sale: PromotionSale,
): PromotionReason | null {
  // A promotion that cannot be computed is reported as unknown.
  if (!coupon || !promotion?.formula) return 'UNKNOWN_CODE'
  if (isPromotionOver(promotion, sale.today)) return 'EXPIRED'
  if (isPromotionUpcoming(promotion, sale.today)) return 'NOT_STARTED'
  if (!coupon.active) return 'LIMIT_REACHED'
  if (!isForPriceList(promotion, sale.priceList)) return 'CUSTOMER_NOT_ELIGIBLE'
  const lines = findEligibleLines(promotion.row, sale)
  if (lines.length === 0) return 'NO_ELIGIBLE_LINES'
  const isMet = isMinimumMet(promotion.row, lines, sale)
  if (isMet === null || !isComputable(promotion, lines)) return 'UNKNOWN_CODE'
  if (!isMet) return 'MINIMUM_NOT_MET'
  return usedPromotions.has(promotion.row.id) ? 'NOT_COMBINABLE' : null
}

/** Returns false for a formula that fails, for instance by a division by zero: Tryton would not quote the sale. */
function isComputable({ formula }: Promotion, lines: readonly PromotionLine[]): boolean {
  try {
    for (const { formulaPrice } of lines) formula!(formulaPrice)
    return true
  } catch {
    return false
  }
}
