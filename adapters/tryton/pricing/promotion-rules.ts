import { Decimal } from 'decimal.js'
import type { Formula } from './promotion-formula.ts'
import type { PromotionRow } from './promotion-reader.ts'
import { unitPrice } from './unit-price.ts'
import { inUnit, type Unit } from './unit-conversion.ts'
import { day } from '../client/tryton-values.ts'

/** A line as Tryton would have it before its promotions. */
export interface PromotedLine {
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
  formula: Formula | null
}

export interface Sold {
  lines: readonly PromotedLine[]
  today: string
  priceList: number | null
  /** Of the lines without promotions: `null` where nobody could say. */
  untaxed: Decimal | null
  total: Decimal | null
  units: ReadonlyMap<number, Unit>
}

export interface Promoted {
  /** Of each line. */
  prices: Map<string, { price: string; promotion: number | null }>
  /** Lines that a promotion changes in a way that nobody here can count. */
  doubtful: Set<string>
}

export const isOver = ({ row }: Promotion, today: string) =>
  !row.active || (row.end_date !== null && day(row.end_date) < today)
export const isToCome = ({ row }: Promotion, today: string) => row.start_date !== null && day(row.start_date) > today
export const isForList = ({ row }: Promotion, priceList: number | null) =>
  row.price_list === null || row.price_list === priceList

/**
 * As Tryton quotes a sale: one promotion after the other, by id; each gives its price to the lines that it is for where that is not above
 * what they have. One with coupons needs one of them, and one without needs a sale without any.
 */
export function promoted(all: readonly Promotion[], coupons: ReadonlySet<number>, sold: Sold): Promoted {
  const prices: Promoted['prices'] = new Map(
    sold.lines.map(({ line_id, price }) => [line_id, { price, promotion: null }]),
  )
  const doubtful = new Set<string>()
  for (const promotion of all.toSorted((a, b) => a.row.id - b.row.id)) {
    const { row, formula } = promotion
    if (!isCalled(row, coupons) || isOver(promotion, sold.today) || isToCome(promotion, sold.today)) continue
    if (!isForList(promotion, sold.priceList)) continue
    const lines = eligible(row, sold, (line) => prices.get(line.line_id)!.price)
    const met = isMet(row, lines, sold)
    if (met === false) continue
    for (const line of lines) {
      const price = met && counted(formula, line)
      if (price === null) doubtful.add(line.line_id)
      else if (new Decimal(prices.get(line.line_id)!.price).gte(price))
        prices.set(line.line_id, { price: unitPrice(price), promotion: row.id })
    }
  }
  return { prices, doubtful }
}

/** Those that a promotion is for, as long as they cost something. */
export function eligible(
  { unit, products, categories }: PromotionRow,
  { lines, units }: Sold,
  priceOf: (line: PromotedLine) => string = ({ price }) => price,
): PromotedLine[] {
  return lines.filter((line) => {
    if (new Decimal(priceOf(line)).lte(0) || new Decimal(line.quantity).lte(0)) return false
    if (unit !== null && units.get(line.unit)?.category !== units.get(unit)?.category) return false
    if (products.length > 0 && !products.includes(line.product)) return false
    return categories.length === 0 || categories.some((id) => line.categories.includes(id))
  })
}

/** Whether its amount and quantity are reached; `null` where nobody could say. */
export function isMet(row: PromotionRow, lines: readonly PromotedLine[], sold: Sold): boolean | null {
  if (row.unit !== null && (row.quantity ?? 0) > quantityIn(row.unit, lines, sold.units)) return false
  if (!row['currency.']) return true
  const least = new Decimal(row.amount?.decimal ?? 0)
  if (least.isZero()) return true
  const amount = row.untaxed_amount ? sold.untaxed : sold.total
  if (amount === null) return null
  return !(least.gte(0) === amount.gte(0) && least.abs().gt(amount.abs()))
}

function quantityIn(unit: number, lines: readonly PromotedLine[], units: Sold['units']): number {
  return lines.reduce((sum, line) => sum + inUnit(Number(line.quantity), units.get(line.unit)!, units.get(unit)!), 0)
}

const isCalled = (row: PromotionRow, coupons: ReadonlySet<number>) =>
  row.coupons?.length ? row.coupons.some((id) => coupons.has(id)) : coupons.size === 0

function counted(formula: Formula | null, { formulaPrice }: PromotedLine): string | null {
  try {
    return formula?.(formulaPrice) ?? null
  } catch {
    return null
  }
}
