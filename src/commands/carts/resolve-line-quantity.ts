import { Decimal } from 'decimal.js'
import type { ValidationItem } from '../../contract/validation-error.ts'
import { InvalidInput } from '../../errors.ts'
import type { OrderUnit, Product } from '../../ports/inventory.ts'

/** Limits of a cart line. */
export const MAX_BASE_UNITS = 999_999
export const MAX_QUANTITY_DECIMALS = 3

/** A requested quantity: in the product's base unit, in a unit of sale, or in both if they agree. */
export interface QuantityInput {
  quantity?: number | string | undefined
  order_uom?: string | null | undefined
  order_quantity?: number | string | undefined
}

/** A validated quantity, as decimal strings. `order_uom` and `order_quantity` are null without a unit of sale. */
export interface LineQuantity {
  quantity: string
  uom: string
  order_uom: string | null
  order_quantity: string | null
}

/** Converts a requested quantity to the base unit and checks the rules of the unit of sale. Throws InvalidInput that names the violated rule. */
export function resolveLineQuantity(product: Pick<Product, 'uom' | 'order_uoms'>, wanted: QuantityInput): LineQuantity {
  const { quantity, order_quantity } = wanted
  if (quantity === undefined && order_quantity === undefined)
    throw invalidQuantity('quantity', 'missing', 'Field required', wanted)
  const order_uom = wanted.order_uom ?? null
  if (order_uom === null) {
    if (order_quantity !== undefined) throw invalidQuantity('order_uom', 'missing', 'Field required', wanted)
    const base = parseQuantity('quantity', quantity!)
    const baseUnit = product.order_uoms.find(({ uom, factor }) => uom === product.uom && new Decimal(factor).eq(1))
    if (baseUnit) assertUnitRules(baseUnit, base, 'quantity', quantity!)
    return { quantity: base.toFixed(), uom: product.uom, order_uom: null, order_quantity: null }
  }
  const unit = product.order_uoms.find(({ uom }) => uom === order_uom)
  if (!unit) throw unknownUnit(product, order_uom)
  const ordered = order_quantity === undefined ? undefined : parseQuantity('order_quantity', order_quantity)
  const base = quantity === undefined ? ordered!.times(unit.factor) : parseQuantity('quantity', quantity)
  const name = ordered ? 'order_quantity' : 'quantity'
  const input = ordered ? order_quantity! : quantity!
  if (ordered && !ordered.times(unit.factor).eq(base)) {
    const msg = `quantity should equal order_quantity × ${unit.factor}: one ${unit.uom} is ${unit.factor} × ${product.uom}`
    throw invalidQuantity(name, 'quantity_mismatch', msg, input, { factor: unit.factor })
  }
  assertLimits(name, base, input)
  const inUnit = ordered ?? base.div(unit.factor)
  if (inUnit.decimalPlaces() > MAX_QUANTITY_DECIMALS || !inUnit.times(unit.factor).eq(base))
    throw invalidQuantity(name, 'unit_increment', `One ${unit.uom} is ${unit.factor} × ${product.uom}`, input)
  const note = ordered
    ? ''
    : `. Without order_quantity, quantity counts the base unit: one ${unit.uom} is ${unit.factor} × ${product.uom}`
  assertUnitRules(unit, inUnit, name, input, note)
  return { quantity: base.toFixed(), uom: product.uom, order_uom: unit.uom, order_quantity: inUnit.toFixed() }
}

/** Parses the shortest decimal form of a number, which is what the client wrote. */
function parseQuantity(name: string, input: number | string): Decimal {
  const value = new Decimal(input)
  assertLimits(name, value, input)
  return value
}

function assertLimits(name: string, value: Decimal, input: number | string): void {
  if (value.lte(0)) throw invalidQuantity(name, 'greater_than', 'Input should be greater than 0', input, { gt: 0 })
  if (value.gt(MAX_BASE_UNITS))
    throw invalidQuantity(name, 'less_than_equal', `Quantity should be at most ${MAX_BASE_UNITS} base units`, input, {
      le: MAX_BASE_UNITS,
    })
  if (value.decimalPlaces() > MAX_QUANTITY_DECIMALS) {
    const msg = `Decimal input should have no more than ${MAX_QUANTITY_DECIMALS} decimal places`
    throw invalidQuantity(name, 'decimal_max_places', msg, input, { decimal_places: MAX_QUANTITY_DECIMALS })
  }
}

/** `quantity` is in the unit of sale. */
function assertUnitRules(
  { uom, min, increment }: OrderUnit,
  quantity: Decimal,
  name: string,
  input: number | string,
  note = '',
): void {
  const step = new Decimal(increment)
  if (quantity.lt(min))
    throw invalidQuantity(name, 'unit_minimum', `Quantity should be at least ${min} × ${uom}${note}`, input, {
      uom,
      min,
    })
  if (step.gt(0) && !quantity.mod(step).isZero())
    throw invalidQuantity(
      name,
      'unit_increment',
      `Quantity should be a multiple of ${increment} × ${uom}${note}`,
      input,
      {
        uom,
        increment,
      },
    )
}

function unknownUnit({ order_uoms }: Pick<Product, 'order_uoms'>, input: string): InvalidInput {
  const names = order_uoms.map(({ uom }) => uom)
  const advice = names.length > 0 ? `Its units are: ${names.join(', ')}` : 'Leave out order_uom, and send quantity'
  return invalidQuantity('order_uom', 'unknown_unit', `This product is not sold in this unit. ${advice}`, input, {
    expected: names,
  })
}

function invalidQuantity(
  name: string,
  type: string,
  msg: string,
  input: unknown,
  ctx?: Record<string, unknown>,
): InvalidInput {
  const item: ValidationItem = { type, loc: ['body', name], msg }
  return new InvalidInput([{ ...item, input, ...(ctx && { ctx }) }])
}
