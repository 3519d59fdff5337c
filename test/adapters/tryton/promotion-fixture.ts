import { Decimal } from 'decimal.js'
import type { PromotionSale } from '../../../adapters/tryton/pricing/apply-promotions.ts'
import type { PromotionRow } from '../../../adapters/tryton/pricing/promotion-and-coupon-reader.ts'
import { toPromotion } from '../../../adapters/tryton/pricing/promotion-quotes.ts'
import type { UnitOfMeasure } from '../../../adapters/tryton/pricing/units-of-measure.ts'

export const UNIT = 1

export const unit: UnitOfMeasure = { id: UNIT, category: 1, factor: 1, rate: 1, rounding: 1 }

export const dozen: UnitOfMeasure = { id: 2, category: 1, factor: 12, rate: 1 / 12, rounding: 0.01 }

export const litre: UnitOfMeasure = { id: 3, category: 2, factor: 0.001, rate: 1000, rounding: 0.01 }

export const units = new Map([unit, dozen, litre].map((one) => [one.id, one]))

/** A promotion with this formula, for every product. */
export function row(id: number, formula: string, change: Partial<PromotionRow> = {}) {
  const none = {
    start_date: null,
    end_date: null,
    price_list: null,
    amount: null,
    untaxed_amount: null,
    'currency.': null,
  }
  const all = { quantity: null, unit: null, products: [], categories: [], coupons: [] }
  return toPromotion({ id, name: `P${id}`, active: true, formula, ...none, ...all, ...change }, 'JMD')
}

/** A sale line of two units. */
export const line = (line_id: string, price: string, change = {}) => ({
  line_id,
  sku: line_id,
  product: 1,
  categories: [10, 1],
  quantity: '2',
  unit: UNIT,
  price,
  formulaPrice: price,
  ...change,
})

/** A sale of these lines. */
export const sold = (lines: PromotionSale['lines'], change: Partial<PromotionSale> = {}): PromotionSale => ({
  lines,
  today: '2026-11-21',
  priceList: null,
  units,
  untaxed: new Decimal(200),
  total: new Decimal(230),
  ...change,
})
