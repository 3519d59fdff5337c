import type { Decimal } from 'decimal.js'
import type { FixturePromotion } from '../../../fixtures/promotions.ts'
import { ExactDecimal, formatAmount, roundToCents, sumAmounts } from '../money.ts'
import { allocateAmount } from './allocate-amount.ts'

export type StoredPromotion = FixturePromotion

/** A line before promotions, and its discount so far. */
export interface DiscountableLine {
  sku: string
  gross: Decimal
  discount: Decimal
}

export type PromotionRefusalReason =
  | 'UNKNOWN_CODE'
  | 'EXPIRED'
  | 'NOT_STARTED'
  | 'LIMIT_REACHED'
  | 'CUSTOMER_NOT_ELIGIBLE'
  | 'MINIMUM_NOT_MET'
  | 'NO_ELIGIBLE_LINES'
  | 'NOT_COMBINABLE'

export interface PromotionResult {
  code: string
  status: 'APPLIED' | 'NOT_APPLICABLE'
  reason: PromotionRefusalReason | null
  description: string | null
  discount: string
}

/** Applies the codes to the lines, one after another, and returns the result of each. Changes the discounts of `lines`. */
export function applyPromotions(
  codes: readonly string[],
  lines: readonly DiscountableLine[],
  customer: { price_list_id: string | null },
  promotions: ReadonlyMap<string, StoredPromotion>,
): PromotionResult[] {
  const applied: StoredPromotion[] = []
  return codes.map((typed) => {
    const promotion = promotions.get(typed.trim().toUpperCase())
    const code = promotion?.code ?? typed.trim()
    const description = promotion?.description ?? null
    const reason = promotion ? findRefusalReason(promotion, lines, customer, applied) : 'UNKNOWN_CODE'
    if (!promotion || reason) return { code, status: 'NOT_APPLICABLE', reason, description, discount: formatAmount(0) }
    applied.push(promotion)
    const discount = applyPromotion(promotion, lines)
    return { code, status: 'APPLIED', reason: null, description, discount: formatAmount(discount) }
  })
}

function findRefusalReason(
  promotion: StoredPromotion,
  lines: readonly DiscountableLine[],
  { price_list_id }: { price_list_id: string | null },
  applied: readonly StoredPromotion[],
): PromotionRefusalReason | null {
  if ((promotion.startsInDays ?? 0) > 0) return 'NOT_STARTED'
  if ((promotion.endsInDays ?? 0) < 0) return 'EXPIRED'
  if (promotion.usedUp) return 'LIMIT_REACHED'
  if (promotion.priceList !== null && promotion.priceList !== price_list_id) return 'CUSTOMER_NOT_ELIGIBLE'
  const isBlocked = applied.some((other) => !other.combinable || other.code === promotion.code)
  if (isBlocked || (!promotion.combinable && applied.length > 0)) return 'NOT_COMBINABLE'
  if (sumAmounts(lines.map(({ gross }) => gross)).lt(promotion.minimum ?? 0)) return 'MINIMUM_NOT_MET'
  return eligibleLines(promotion, lines).length === 0 ? 'NO_ELIGIBLE_LINES' : null
}

function eligibleLines({ skuPrefix }: StoredPromotion, lines: readonly DiscountableLine[]): DiscountableLine[] {
  return lines.filter(({ sku, gross, discount }) => sku.startsWith(skuPrefix ?? '') && gross.gt(discount))
}

function applyPromotion(promotion: StoredPromotion, lines: readonly DiscountableLine[]): Decimal {
  const { off } = promotion
  const targets = eligibleLines(promotion, lines)
  const openAmounts = targets.map(({ gross, discount }) => gross.minus(discount))
  const parts =
    'share' in off
      ? openAmounts.map((amount) => roundToCents(amount.times(off.share)))
      : allocateAmount(ExactDecimal.min(off.amount, sumAmounts(openAmounts)), openAmounts)
  for (const [i, line] of targets.entries()) line.discount = line.discount.plus(parts[i]!)
  return sumAmounts(parts)
}
