import { Decimal } from 'decimal.js'
import type { Carrier, PriceStep } from './carrier-reader.ts'
import { sum } from './sum.ts'

/** What the delivery methods of Odoo look at in an order. Binary numbers, because Odoo compares them so. */
export interface DeliveredGoods {
  /** The total with tax, before the delivery. */
  total: number
  lines: { quantity: number; weight: number; volume: number; isService: boolean; tagIds: readonly number[] }[]
}

/** Returns the price of a delivery by the steps of its method, before taxes and margins; `null`: no step applies. */
export function findStepPrice({ price_rule_ids }: Pick<Carrier, 'price_rule_ids'>, goods: DeliveredGoods) {
  const lines = goods.lines.filter(({ isService }) => !isService)
  const weight = sum(lines.map((line) => line.weight * line.quantity))
  const volume = sum(lines.map((line) => line.volume * line.quantity))
  const values: Record<string, number> = {
    price: goods.total,
    weight,
    volume,
    // As Odoo does: of the whole order when no line has both.
    wv: sum(lines.map((line) => line.weight * line.volume * line.quantity)) || weight * volume,
    quantity: sum(lines.map(({ quantity }) => quantity)),
  }
  const step = price_rule_ids.find((one) => applies(one, values[one.variable]))
  const factor = step && values[step.variable_factor]
  return step === undefined || factor === undefined ? null : step.list_base_price + step.list_price * factor
}

/** Returns a price with the margins of its method. A fixed price has none, except in Odoo 16. */
export const addMargins = (
  { delivery_type, margin, fixed_margin, has_uniform_terms }: Carrier,
  price: Decimal,
): Decimal =>
  delivery_type === 'fixed' && !has_uniform_terms ? price : price.times(new Decimal(1).plus(margin)).plus(fixed_margin)

/** True when the order is large enough for a free delivery. Methods with steps are never free for that reason, except in Odoo 16. */
export const isFree = (
  { delivery_type, free_over, amount, has_uniform_terms }: Carrier,
  { total }: DeliveredGoods,
): boolean => free_over && (delivery_type === 'fixed' || has_uniform_terms === true) && total >= amount

function applies({ operator, max_value }: PriceStep, value: number | undefined): boolean {
  if (value === undefined) return false
  switch (operator) {
    case '==':
      return value === max_value
    case '<=':
      return value <= max_value
    case '<':
      return value < max_value
    case '>=':
      return value >= max_value
    case '>':
      return value > max_value
    default:
      return false
  }
}
