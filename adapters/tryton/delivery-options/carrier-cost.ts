import { Decimal } from 'decimal.js'
import { roundUnitPrice } from '../pricing/round-unit-price.ts'
import { findCarrierListPrice } from './carrier-list-price.ts'
import type { Carrier } from './carrier-reader.ts'

const Exact = Decimal.clone({ precision: 60 })

/**
 * Returns what a carrier costs for a sale before promotions and tax, as Tryton computes it: the list price of its product, or
 * a percentage of the lines at their prices before promotions. `null` without a list price, and for the cost method of
 * another module. Price lists need the list price, even if the cost is a percentage: without it, Tryton may fail to quote the
 * sale.
 */
export function computeCarrierCost(
  carrier: Carrier,
  lines: readonly { price: string; quantity: string }[],
  digits: number,
): string | null {
  const { carrier_cost_method: method, percentage } = carrier
  const listPrice = findCarrierListPrice(carrier)
  if (listPrice === null) return null
  if (method === 'product') return toCost(new Exact(listPrice))
  if (method !== 'percentage' || !percentage) return null
  const amount = lines.reduce((sum, { price, quantity }) => sum.plus(new Exact(price).times(quantity)), new Exact(0))
  const share = amount.times(percentage.decimal).div(100)
  return toCost(share.toDecimalPlaces(digits, Decimal.ROUND_HALF_EVEN))
}

const toCost = (price: Decimal) => (price.lt(0) ? null : roundUnitPrice(price.toFixed()))
