import type { PromotionReason, QuotedPromotion } from '../../ports/pricing.ts'
import { formatMoney } from './format-money.ts'

const reasonTexts: Readonly<Record<PromotionReason, string>> = {
  UNKNOWN_CODE: 'pricing does not know the code',
  EXPIRED: 'it has expired',
  NOT_STARTED: 'it is not valid yet',
  LIMIT_REACHED: 'it has reached its limit of uses',
  CUSTOMER_NOT_ELIGIBLE: 'it is not for this customer',
  MINIMUM_NOT_MET: 'the cart is below the minimum of the code',
  NO_ELIGIBLE_LINES: 'it applies to nothing in the cart',
  NOT_COMBINABLE: 'it cannot be combined with another code of the cart',
}

/** Says whether pricing applied a code when it priced the cart, and if not, why. `null`: the cart was not priced with it. */
export function describePromotion(
  promotion: Pick<QuotedPromotion, 'status' | 'reason' | 'discount'> | null,
  currency: string,
): string {
  if (promotion === null)
    return 'Pricing applied it when the shopper entered it. The cart has not been priced since then.'
  if (promotion.status === 'APPLIED') return `Applied: ${formatMoney(promotion.discount, currency)} off.`
  return `Not applied${promotion.reason === null ? '' : `: ${reasonTexts[promotion.reason]}`}.`
}
