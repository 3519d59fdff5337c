import { Decimal } from 'decimal.js'
import { toIsoDate } from '../client/tryton-values.ts'
import type { PromotionRow } from './promotion-and-coupon-reader.ts'
import type { PromotionFormula } from './promotion-formula.ts'
import { roundUnitPrice } from './round-unit-price.ts'
import { convertQuantity, type UnitOfMeasure } from './units-of-measure.ts'

/** A sale line before promotions. */
export interface PromotionLine {
  line_id: string
  product: number
  /** The categories with all of their ancestors. */
  categories: readonly number[]
  quantity: string
  unit: number
  price: string
  /** The price at the smallest quantity with Tryton's digits, which formulas start from. */
  formulaPrice: string
}

/** A promotion with its compiled formula. */
export interface Promotion {
  row: PromotionRow
  /** `null` when it cannot be computed, or its minimum is in another currency. */
  formula: PromotionFormula | null
}

export interface PromotionSale {
  lines: readonly PromotionLine[]
  today: string
  priceList: number | null
  /** The totals without promotions; `null` when they are unknown. */
  untaxed: Decimal | null
  total: Decimal | null
  units: ReadonlyMap<number, UnitOfMeasure>
}

export interface PromotionPrices {
  /** The price of each line, by its id. */
  prices: Map<string, { price: string; promotion: number | null }>
  /** Lines that a promotion changes in a way that cannot be computed here. */
  uncomputableLines: Set<string>
}

export const isPromotionOver = ({ row }: Promotion, today: string) =>
  !row.active || (row.end_date !== null && toIsoDate(row.end_date) < today)
export const isPromotionUpcoming = ({ row }: Promotion, today: string) =>
  row.start_date !== null && toIsoDate(row.start_date) > today
export const isForPriceList = ({ row }: Promotion, priceList: number | null) =>
  row.price_list === null || row.price_list === priceList

/**
 * Applies promotions as Tryton does when it quotes a sale: one after the other by id. Each sets its price on its lines
 * unless they have a lower one. A promotion with coupons needs one of them, and one without needs a sale without
 * coupons.
 */
export function applyPromotions(
  promotions: readonly Promotion[],
  coupons: ReadonlySet<number>,
  sale: PromotionSale,
): PromotionPrices {
  const prices: PromotionPrices['prices'] = new Map(
    sale.lines.map(({ line_id, price }) => [line_id, { price, promotion: null }]),
  )
  const doubtful = new Set<string>()
  for (const promotion of promotions.toSorted((a, b) => a.row.id - b.row.id)) {
    const { row, formula } = promotion
    if (
      !isTriggered(row, coupons) ||
      isPromotionOver(promotion, sale.today) ||
      isPromotionUpcoming(promotion, sale.today)
    )
      continue
    if (!isForPriceList(promotion, sale.priceList)) continue
    const lines = findEligibleLines(row, sale, (line) => prices.get(line.line_id)!.price)
    const isMet = isMinimumMet(row, lines, sale)
    if (isMet === false) continue
    for (const line of lines) {
      const price = isMet && computePrice(formula, line)
      if (price === null) doubtful.add(line.line_id)
      else if (new Decimal(prices.get(line.line_id)!.price).gte(price))
        prices.set(line.line_id, { price: roundUnitPrice(price), promotion: row.id })
    }
  }
  return { prices, uncomputableLines: doubtful }
}

/** Returns the lines that a promotion applies to: those that cost something. */
export function findEligibleLines(
  { unit, products, categories }: PromotionRow,
  { lines, units }: PromotionSale,
  priceOf: (line: PromotionLine) => string = ({ price }) => price,
): PromotionLine[] {
  return lines.filter((line) => {
    if (new Decimal(priceOf(line)).lte(0) || new Decimal(line.quantity).lte(0)) return false
    if (unit !== null && units.get(line.unit)?.category !== units.get(unit)?.category) return false
    if (products.length > 0 && !products.includes(line.product)) return false
    return categories.length === 0 || categories.some((id) => line.categories.includes(id))
  })
}

/** Returns true when the minimum amount and quantity are reached; `null` when the totals are unknown. */
export function isMinimumMet(row: PromotionRow, lines: readonly PromotionLine[], sale: PromotionSale): boolean | null {
  if (row.unit !== null && (row.quantity ?? 0) > sumQuantity(row.unit, lines, sale.units)) return false
  if (!row['currency.']) return true
  const minimum = new Decimal(row.amount?.decimal ?? 0)
  if (minimum.isZero()) return true
  const amount = row.untaxed_amount ? sale.untaxed : sale.total
  if (amount === null) return null
  return !(minimum.gte(0) === amount.gte(0) && minimum.abs().gt(amount.abs()))
}

function sumQuantity(unit: number, lines: readonly PromotionLine[], units: PromotionSale['units']): number {
  return lines.reduce(
    (sum, line) => sum + convertQuantity(Number(line.quantity), units.get(line.unit)!, units.get(unit)!),
    0,
  )
}

const isTriggered = (row: PromotionRow, coupons: ReadonlySet<number>) =>
  row.coupons?.length ? row.coupons.some((id) => coupons.has(id)) : coupons.size === 0

function computePrice(formula: PromotionFormula | null, { formulaPrice }: PromotionLine): string | null {
  try {
    return formula?.(formulaPrice) ?? null
  } catch {
    return null
  }
}
