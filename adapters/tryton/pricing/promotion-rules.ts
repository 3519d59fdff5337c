import { Decimal } from 'decimal.js'
import { toIsoDate } from '../client/tryton-values.ts'
import type { PromotionFormula } from './promotion-formula.ts'
import type { PromotionRow } from './promotion-reader.ts'
import { convertQuantity, type UnitOfMeasure } from './unit-conversion.ts'
import { roundUnitPrice } from './unit-price.ts'

/** A line as Tryton would have it before its promotions. */
export interface PromotionLine {
  line_id: string
  product: number
  /** With all their parents. */
  categories: readonly number[]
  quantity: string
  unit: number
  price: string
  /** Of the smallest quantity, in Tryton's own digits: what formulas go out from. */
  formulaPrice: string
}

/** A promotion with what is known of it beyond its record. */
export interface Promotion {
  row: PromotionRow
  /** `null`: it is not understood, or its amount is in another currency. */
  formula: PromotionFormula | null
}

export interface PromotionSale {
  lines: readonly PromotionLine[]
  today: string
  priceList: number | null
  /** Of the lines without promotions: `null` where nobody could say. */
  untaxed: Decimal | null
  total: Decimal | null
  units: ReadonlyMap<number, UnitOfMeasure>
}

export interface PromotionPrices {
  /** Of each line. */
  prices: Map<string, { price: string; promotion: number | null }>
  /** Lines that a promotion changes in a way that nobody here can count. */
  doubtful: Set<string>
}

export const isPromotionOver = ({ row }: Promotion, today: string) =>
  !row.active || (row.end_date !== null && toIsoDate(row.end_date) < today)
export const isPromotionUpcoming = ({ row }: Promotion, today: string) =>
  row.start_date !== null && toIsoDate(row.start_date) > today
export const isForPriceList = ({ row }: Promotion, priceList: number | null) =>
  row.price_list === null || row.price_list === priceList

/**
 * As Tryton quotes a sale: one promotion after the other, by id; each gives its price to the lines that it is for where that is not above
 * what they have. One with coupons needs one of them, and one without needs a sale without any.
 */
export function applyPromotions(
  all: readonly Promotion[],
  coupons: ReadonlySet<number>,
  sold: PromotionSale,
): PromotionPrices {
  const prices: PromotionPrices['prices'] = new Map(
    sold.lines.map(({ line_id, price }) => [line_id, { price, promotion: null }]),
  )
  const doubtful = new Set<string>()
  for (const promotion of all.toSorted((a, b) => a.row.id - b.row.id)) {
    const { row, formula } = promotion
    if (!isCalled(row, coupons) || isPromotionOver(promotion, sold.today) || isPromotionUpcoming(promotion, sold.today))
      continue
    if (!isForPriceList(promotion, sold.priceList)) continue
    const lines = findEligibleLines(row, sold, (line) => prices.get(line.line_id)!.price)
    const met = isMinimumMet(row, lines, sold)
    if (met === false) continue
    for (const line of lines) {
      const price = met && counted(formula, line)
      if (price === null) doubtful.add(line.line_id)
      else if (new Decimal(prices.get(line.line_id)!.price).gte(price))
        prices.set(line.line_id, { price: roundUnitPrice(price), promotion: row.id })
    }
  }
  return { prices, doubtful }
}

/** Those that a promotion is for, as long as they cost something. */
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

/** Whether its amount and quantity are reached; `null` where nobody could say. */
export function isMinimumMet(row: PromotionRow, lines: readonly PromotionLine[], sold: PromotionSale): boolean | null {
  if (row.unit !== null && (row.quantity ?? 0) > quantityIn(row.unit, lines, sold.units)) return false
  if (!row['currency.']) return true
  const least = new Decimal(row.amount?.decimal ?? 0)
  if (least.isZero()) return true
  const amount = row.untaxed_amount ? sold.untaxed : sold.total
  if (amount === null) return null
  return !(least.gte(0) === amount.gte(0) && least.abs().gt(amount.abs()))
}

function quantityIn(unit: number, lines: readonly PromotionLine[], units: PromotionSale['units']): number {
  return lines.reduce(
    (sum, line) => sum + convertQuantity(Number(line.quantity), units.get(line.unit)!, units.get(unit)!),
    0,
  )
}

const isCalled = (row: PromotionRow, coupons: ReadonlySet<number>) =>
  row.coupons?.length ? row.coupons.some((id) => coupons.has(id)) : coupons.size === 0

function counted(formula: PromotionFormula | null, { formulaPrice }: PromotionLine): string | null {
  try {
    return formula?.(formulaPrice) ?? null
  } catch {
    return null
  }
}
