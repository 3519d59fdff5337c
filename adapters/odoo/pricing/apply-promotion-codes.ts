import { Decimal } from 'decimal.js'
import type { PromotionReason, QuotedLine, QuotedPromotion } from '../../../src/ports/pricing.ts'
import { roundTogether, type TaxRounding } from './cart-taxes.ts'
import type { PercentOff } from './promotion-rules.ts'

const Exact = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_HALF_UP })

/** A code of a cart with its promotion; `null` for one that Odoo does not have or the shop does not apply. */
export interface CartCode {
  code: string
  promotion: CartPromotion | null
}

export interface CartPromotion extends PercentOff {
  /** The SKUs that count for the minimum. */
  ruledSkus: ReadonlySet<string>
  discountedSkus: ReadonlySet<string>
}

export interface PromotedCart {
  /** `net`: the amount without tax of a line whose price includes only some of its taxes. */
  lines: readonly (QuotedLine & { quantity: string; net?: Decimal | undefined })[]
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
  let applied: { discounts: Map<string, Decimal>; percent: Decimal } | null = null
  const promotions = codes.map(({ code, promotion }): QuotedPromotion => {
    const discounts = promotion === null ? new Map<string, Decimal>() : computeDiscounts(promotion, cart)
    const reason = promotion === null ? 'UNKNOWN_CODE' : findReason(promotion, discounts, cart)
    const refusal = reason ?? (applied ? 'NOT_COMBINABLE' : null)
    const named = { code: promotion?.rule.code ?? code, description: promotion?.reward.description || null }
    if (refusal !== null) return { ...named, status: 'NOT_APPLICABLE', reason: refusal, discount: zero }
    applied = { discounts, percent: promotion!.percent }
    const discount = cart.formatAmount(Decimal.sum(0, ...discounts.values()).toFixed())
    return { ...named, status: 'APPLIED', reason: null, discount }
  })
  const { discounts, percent } = applied ?? { discounts: new Map<string, Decimal>(), percent: new Decimal(0) }
  return {
    lines: cart.lines.map(({ quantity: _, net: __, ...line }) => ({
      ...line,
      discount: cart.formatAmount((discounts.get(line.line_id) ?? new Decimal(0)).toFixed()),
    })),
    promotions,
    percents: new Map([...discounts.keys()].map((lineId) => [lineId, percent.toFixed()])),
    unitPrices: new Map(),
  }
}

function findReason(
  promotion: CartPromotion,
  discounts: ReadonlyMap<string, Decimal>,
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
  const quantity = Decimal.sum(0, ...ruled.map((line) => line.quantity))
  const amount = Decimal.sum(
    0,
    ...ruled.map((line) => thresholdAmount(line, rule.minimum_amount_tax_mode, cart.rounding.digits)),
  )
  return quantity.lt(rule.minimum_qty) || amount.lt(rule.minimum_amount) ? 'MINIMUM_NOT_MET' : null
}

/** Returns the amount of a line that counts for the minimum of a program: with or without the tax. */
function thresholdAmount(line: PromotedLine, mode: string, digits: number) {
  const { unit_price, quantity, tax, tax_included, net } = line
  if (net !== undefined) return mode === 'incl' ? net.plus(tax?.amount ?? 0) : net
  const gross = new Exact(unit_price).times(quantity).toDecimalPlaces(digits)
  const rate = new Exact(tax?.rate ?? 0)
  const ofRate = tax_included ? gross.minus(gross.div(rate.plus(1)).toDecimalPlaces(digits)) : gross.times(rate)
  const taxAmount = tax?.amount === undefined ? ofRate.toDecimalPlaces(digits) : new Exact(tax.amount)
  if (tax_included) return mode === 'incl' ? gross : gross.minus(taxAmount)
  return mode === 'incl' ? gross.plus(taxAmount) : gross
}

type PromotedLine = PromotedCart['lines'][number]

/** Returns the discounts above 0 by line id, as Odoo rounds a line with a percentage: the discounted price times the quantity. */
function computeDiscounts(
  { percent, discountedSkus }: CartPromotion,
  { lines, rounding: { isGlobal, digits } }: PromotedCart,
): Map<string, Decimal> {
  const share = new Exact(100).minus(percent).div(100)
  const discounted = lines.filter(({ sku }) => discountedSkus.has(sku))
  const prices = discounted.map((line) => new Exact(line.unit_price).times(line.quantity))
  const exact = prices.map((price) => price.times(share))
  const net = isGlobal ? roundTogether(exact, digits) : exact.map((amount) => amount.toDecimalPlaces(digits))
  const discounts = discounted.map((line, i): [string, Decimal] => [
    line.line_id,
    prices[i]!.toDecimalPlaces(digits).minus(net[i]!),
  ])
  return new Map(discounts.filter(([, discount]) => discount.gt(0)))
}
