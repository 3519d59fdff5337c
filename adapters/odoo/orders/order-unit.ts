import { Decimal } from 'decimal.js'
import type { OrderLine } from '../../../src/ports/order.ts'

type Units = ReadonlyMap<number, { name: string; factor: number }>
type OrderedLine = Pick<OrderLine, 'quantity' | 'unit_price' | 'order_uom' | 'order_quantity'>

/** The unit of a line of a sale order, with the quantity and the price in that unit. */
export interface LineInUnit {
  unitId: number
  quantity: string
  unitPrice: string
}

/**
 * Returns a line in the unit that the shopper ordered in, so that staff see two packs as two packs. A line without such a
 * unit, and one whose price in that unit is no amount of the currency, stays in the base unit of the product.
 */
export function toOrderUnit(line: OrderedLine, baseUnitId: number, units: Units, digits: number): LineInUnit {
  const { quantity, unit_price, order_uom, order_quantity } = line
  const inBase = { unitId: baseUnitId, quantity, unitPrice: unit_price }
  const base = units.get(baseUnitId)
  if (order_uom === null || order_quantity === null || !base) return inBase
  const found = units.entries().find(([, { name, factor }]) => {
    const ordered = new Decimal(order_quantity).times(factor).div(base.factor)
    return name === order_uom && ordered.eq(quantity)
  })
  const inUnit = readInOrderUnit(line)
  const isAmount = inUnit !== null && inUnit.unitPrice.decimalPlaces() <= digits
  if (!found || !isAmount) return inBase
  return { unitId: found[0], quantity: order_quantity, unitPrice: inUnit.unitPrice.toFixed() }
}

/** Returns the quantity of a line in the unit that it was ordered in, and the price in that unit; `null` without one. */
export function readInOrderUnit({ quantity, unit_price, order_quantity }: OrderedLine) {
  if (order_quantity === null || !new Decimal(order_quantity).gt(0)) return null
  const unitPrice = new Decimal(unit_price).times(quantity).div(order_quantity)
  return { quantity: new Decimal(order_quantity), unitPrice }
}
