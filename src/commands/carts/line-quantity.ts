import { Decimal } from 'decimal.js'
import type { ValidationItem } from '../../contract/validation.ts'
import { InvalidInput } from '../../errors.ts'
import type { OrderUnit, Product } from '../../ports/inventory.ts'

/** The most base units that a line holds, and the decimals that a quantity has. */
export const MAX_BASE_UNITS = 999_999
export const MAX_QUANTITY_DECIMALS = 3

/** How much of a product is asked for: in its base unit, in a unit of sale, or in both when they agree. */
export interface QuantityInput {
  quantity?: number | string | undefined
  order_uom?: string | null | undefined
  order_quantity?: number | string | undefined
}

/** Decimal strings. Without a unit of sale, its two members are null. */
export interface LineQuantity {
  quantity: string
  uom: string
  order_uom: string | null
  order_quantity: string | null
}

/** Settles what is wanted in the base unit, by the rules of the unit that it is sold in. Throws Invalid, naming the rule that is broken. */
export function resolveQuantity(product: Pick<Product, 'uom' | 'order_uoms'>, wanted: QuantityInput): LineQuantity {
  const { quantity, order_quantity } = wanted
  if (quantity === undefined && order_quantity === undefined)
    throw broken('quantity', 'missing', 'Field required', wanted)
  const order_uom = wanted.order_uom ?? null
  if (order_uom === null) {
    if (order_quantity !== undefined) throw broken('order_uom', 'missing', 'Field required', wanted)
    const base = exact('quantity', quantity!)
    const own = product.order_uoms.find(({ uom, factor }) => uom === product.uom && new Decimal(factor).eq(1))
    if (own) keepsTo(own, base, 'quantity', quantity!)
    return { quantity: base.toFixed(), uom: product.uom, order_uom: null, order_quantity: null }
  }
  const unit = product.order_uoms.find(({ uom }) => uom === order_uom)
  if (!unit) throw unknownUnit(product, order_uom)
  const asked = order_quantity === undefined ? undefined : exact('order_quantity', order_quantity)
  const base = quantity === undefined ? asked!.times(unit.factor) : exact('quantity', quantity)
  const name = asked ? 'order_quantity' : 'quantity'
  const input = asked ? order_quantity! : quantity!
  if (asked && !asked.times(unit.factor).eq(base)) {
    const msg = `order_quantity × ${unit.factor} should be quantity: one ${unit.uom} is ${unit.factor} × ${product.uom}`
    throw broken(name, 'quantity_mismatch', msg, input, { factor: unit.factor })
  }
  withinLimits(name, base, input)
  const settled = asked ?? base.div(unit.factor)
  if (settled.decimalPlaces() > MAX_QUANTITY_DECIMALS || !settled.times(unit.factor).eq(base))
    throw broken(name, 'unit_increment', `One ${unit.uom} is ${unit.factor} × ${product.uom}`, input)
  keepsTo(unit, settled, name, input)
  return { quantity: base.toFixed(), uom: product.uom, order_uom: unit.uom, order_quantity: settled.toFixed() }
}

/** The number that was written, by its shortest decimal form. */
function exact(name: string, input: number | string): Decimal {
  const value = new Decimal(input)
  withinLimits(name, value, input)
  return value
}

function withinLimits(name: string, value: Decimal, input: number | string): void {
  if (value.lte(0)) throw broken(name, 'greater_than', 'Input should be greater than 0', input, { gt: 0 })
  if (value.gt(MAX_BASE_UNITS))
    throw broken(name, 'less_than_equal', `A line holds ${MAX_BASE_UNITS} base units at the most`, input, {
      le: MAX_BASE_UNITS,
    })
  if (value.decimalPlaces() > MAX_QUANTITY_DECIMALS) {
    const msg = `Decimal input should have no more than ${MAX_QUANTITY_DECIMALS} decimal places`
    throw broken(name, 'decimal_max_places', msg, input, { decimal_places: MAX_QUANTITY_DECIMALS })
  }
}

/** `quantity` is in the unit itself. */
function keepsTo({ uom, min, increment }: OrderUnit, quantity: Decimal, name: string, input: number | string): void {
  const step = new Decimal(increment)
  if (quantity.lt(min)) throw broken(name, 'unit_minimum', `At least ${min} × ${uom}`, input, { uom, min })
  if (step.gt(0) && !quantity.mod(step).isZero())
    throw broken(name, 'unit_increment', `Sold in steps of ${increment} × ${uom}`, input, { uom, increment })
}

function unknownUnit({ order_uoms }: Pick<Product, 'order_uoms'>, input: string): InvalidInput {
  const names = order_uoms.map(({ uom }) => uom)
  return broken('order_uom', 'unknown_unit', 'This product is not sold by that unit', input, { expected: names })
}

function broken(name: string, type: string, msg: string, input: unknown, ctx?: Record<string, unknown>): InvalidInput {
  const item: ValidationItem = { type, loc: ['body', name], msg }
  return new InvalidInput([{ ...item, input, ...(ctx && { ctx }) }])
}
