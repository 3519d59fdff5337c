import { Decimal } from 'decimal.js'
import type { PromotionReason, QuotedLine, QuotedPromotion } from '../../../src/ports/pricing.ts'
import type { TaxRounding } from './cart-taxes.ts'
import { computeLineDiscounts, costOf, type LineDiscount, type PromotedLine, taxOf } from './line-discounts.ts'
import type { Promotion } from './promotion-rules.ts'

/** A code of a cart with its promotion; `null` for one that Odoo does not have or the shop does not apply. */
export interface CartCode {
  code: string
  promotion: CartPromotion | null
}

export interface CartPromotion extends Promotion {
  /** The SKUs that count for the minimum. */
  ruledSkus: ReadonlySet<string>
  discountedSkus: ReadonlySet<string>
}

export interface PromotedCart {
  lines: readonly PromotedLine[]
  priceListId: number | null
  /** YYYY-MM-DD. */
  today: string
  rounding: TaxRounding
  formatAmount(value: string): string
}

export interface AppliedCodes {
  lines: QuotedLine[]
  promotions: QuotedPromotion[]
  /** The percentage off each discounted line, by line id. */
  percents: Map<string, string>
  /** The unit prices of the lines in Odoo, by line id, if they differ from those of the lines. */
  unitPrices: Map<string, string>
}

/** Applies the first code that a cart meets the conditions of. Further codes are not combined with it. */
export function applyPromotionCodes(codes: readonly CartCode[], cart: PromotedCart): AppliedCodes {
  const zero = cart.formatAmount('0')
  let applied: Map<string, LineDiscount> | null = null
  const promotions = codes.map(({ code, promotion }): QuotedPromotion => {
    const discounts = promotion === null ? new Map<string, LineDiscount>() : computeDiscounts(promotion, cart)
    const reason = promotion === null ? 'UNKNOWN_CODE' : findReason(promotion, discounts, cart)
    const refusal = reason ?? (applied ? 'NOT_COMBINABLE' : null)
    const named = { code: promotion?.rule.code ?? code, description: promotion?.reward.description || null }
    if (refusal !== null) return { ...named, status: 'NOT_APPLICABLE', reason: refusal, discount: zero }
    applied = discounts
    const discount = cart.formatAmount(Decimal.sum(0, ...[...discounts.values()].map(({ amount }) => amount)).toFixed())
    return { ...named, status: 'APPLIED', reason: null, discount }
  })
  const discounts: ReadonlyMap<string, LineDiscount> = applied ?? new Map()
  const membersOf = (member: 'percent' | 'unitPrice') =>
    new Map([...discounts].flatMap(([id, one]) => (one[member] === undefined ? [] : [[id, one[member]] as const])))
  return {
    lines: cart.lines.map(({ quantity: _, net: __, ...line }) => ({
      ...line,
      discount: cart.formatAmount((discounts.get(line.line_id)?.amount ?? new Decimal(0)).toFixed()),
    })),
    promotions,
    percents: membersOf('percent'),
    unitPrices: membersOf('unitPrice'),
  }
}

const computeDiscounts = ({ discount, discountedSkus }: CartPromotion, { lines, rounding }: PromotedCart) =>
  computeLineDiscounts(
    discount,
    lines.filter(({ sku }) => discountedSkus.has(sku)),
    rounding,
  )

function findReason(
  promotion: CartPromotion,
  discounts: ReadonlyMap<string, LineDiscount>,
  cart: PromotedCart,
): PromotionReason | null {
  const { rule, ruledSkus } = promotion
  const { date_from, date_to, pricelist_ids } = rule.program_id
  if (date_to !== false && date_to < cart.today) return 'EXPIRED'
  if (date_from !== false && date_from > cart.today) return 'NOT_STARTED'
  const isForCustomer =
    pricelist_ids.length === 0 || (cart.priceListId !== null && pricelist_ids.includes(cart.priceListId))
  if (!isForCustomer) return 'CUSTOMER_NOT_ELIGIBLE'
  const ruled = cart.lines.filter(({ sku }) => ruledSkus.has(sku))
  if (ruled.length === 0 || discounts.size === 0) return 'NO_ELIGIBLE_LINES'
  // Free units do not count toward the minimum: Odoo adds them to what the customer orders.
  const counted = ruled.map((line) => ({
    line,
    units: new Decimal(line.quantity).minus(discounts.get(line.line_id)?.units ?? 0),
  }))
  const quantity = Decimal.sum(0, ...counted.map(({ units }) => units))
  const amounts = counted.map(({ line, units }) =>
    thresholdAmount(line, rule.minimum_amount_tax_mode, cart.rounding.digits).times(units).div(line.quantity),
  )
  const amount = Decimal.sum(0, ...amounts)
  return quantity.lt(rule.minimum_qty) || amount.lt(rule.minimum_amount) ? 'MINIMUM_NOT_MET' : null
}

/** Returns the amount of a line that counts for the minimum of a program: with or without the tax. */
function thresholdAmount(line: PromotedLine, mode: string, digits: number) {
  const cost = costOf(line, digits)
  if (mode === 'incl') return cost
  return line.net ?? cost.minus(taxOf(line, digits))
}
