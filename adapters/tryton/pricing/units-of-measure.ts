import { type Static, Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import type { Rpc } from '../client/rpc.ts'
import { TrytonId } from '../client/tryton-values.ts'

const UnitOfMeasure = Type.Object({
  id: TrytonId,
  category: TrytonId,
  factor: Type.Number(),
  rate: Type.Number(),
  rounding: Type.Number(),
})
const Units = responseSchema(Type.Array(UnitOfMeasure))
export type UnitOfMeasure = Static<typeof UnitOfMeasure>
const FIELDS = Object.keys(UnitOfMeasure.properties).filter((name) => name !== 'id')

export async function readUnitsOfMeasure(
  rpc: Rpc,
  ids: readonly number[],
  call: Call,
): Promise<Map<number, UnitOfMeasure>> {
  if (ids.length === 0) return new Map()
  const rows = await rpc(Units, 'product.uom.read', [[...new Set(ids)], FIELDS], call)
  return new Map(rows.map((unit) => [unit.id, unit]))
}

/** Converts a quantity to another unit of the same category, with floating point as Tryton does. */
export function convertQuantity(quantity: number, from: UnitOfMeasure, to: UnitOfMeasure): number {
  if (quantity === 0) return quantity
  const base = isByFactor(from) ? quantity * from.factor : quantity / from.rate
  return roundTo(isByFactor(to) ? base / to.factor : base * to.rate, to.rounding)
}

/** Returns true when the factor is exact: factor and rate are each 1 ÷ the other, and the one with fewer decimals is exact. */
function isByFactor({ factor, rate }: UnitOfMeasure): boolean {
  const [rateDecimals, factorDecimals] = [countDecimals(rate), countDecimals(factor)]
  return rateDecimals === factorDecimals ? factor >= 1 : factorDecimals < rateDecimals
}

const countDecimals = (value: number) => value.toFixed(12).split('.')[1]!.replace(/0+$/, '').length

function roundTo(quantity: number, rounding: number): number {
  if (quantity === 0) return quantity
  const scale = rounding < 1 ? 10 ** -Math.floor(Math.log10(rounding)) : 1
  const step = rounding * scale
  return (roundHalfEven((quantity * scale) / step) * step) / scale
}

/** Rounds as Python does. */
function roundHalfEven(value: number): number {
  const below = Math.floor(value)
  const fraction = value - below
  if (fraction !== 0.5) return Math.round(value)
  return below % 2 === 0 ? below : below + 1
}
