import type { ValidationItem } from '../../contract/validation-error.ts'
import { sourceTextJson } from './json-source-text-access.ts'
import { addValidationError } from './validation-items.ts'

export interface NumberLimits {
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  multipleOf?: number
}

type Check = (value: number | bigint) => boolean
type Bound = { type: string; msg: string; ctx: Record<string, unknown>; isWithin: Check }

/** Adds at most one item, in pydantic's order of checks. */
export type BoundsCheck = (value: number | bigint, input: unknown, items: ValidationItem[]) => void

/** Python writes the limit of a float as `0.0`. */
const toPythonFloat = (value: number) => sourceTextJson.rawJSON(Number.isInteger(value) ? `${value}.0` : String(value))

export function createBoundsCheck(limits: NumberLimits, kind: 'integer' | 'float'): BoundsCheck {
  const bounds = createBounds(limits, kind)
  return (value, input, items) => {
    for (const bound of bounds) {
      if (!bound.isWithin(value)) return addValidationError(items, bound.type, bound.msg, input, bound.ctx)
    }
  }
}

/** Every check rejects NaN. */
function createBounds(limits: NumberLimits, kind: 'integer' | 'float'): Bound[] {
  const format = kind === 'float' ? toPythonFloat : (limit: number) => limit
  const bounds: Bound[] = []
  const add = (
    limit: number | undefined,
    name: string,
    type: string,
    words: string,
    test: (limit: number) => Check,
  ) => {
    if (limit === undefined) return
    bounds.push({
      type,
      msg: `Input should be ${words} ${limit}`,
      ctx: { [name]: format(limit) },
      isWithin: test(limit),
    })
  }
  add(limits.multipleOf, 'multiple_of', 'multiple_of', 'a multiple of', kind === 'float' ? isMultiple : isExactMultiple)
  add(limits.maximum, 'le', 'less_than_equal', 'less than or equal to', (limit) => (value) => value <= limit)
  add(limits.exclusiveMaximum, 'lt', 'less_than', 'less than', (limit) => (value) => value < limit)
  add(limits.minimum, 'ge', 'greater_than_equal', 'greater than or equal to', (limit) => (value) => value >= limit)
  add(limits.exclusiveMinimum, 'gt', 'greater_than', 'greater than', (limit) => (value) => value > limit)
  return bounds
}

const isExactMultiple =
  (step: number): Check =>
  (value) =>
    BigInt(value) % BigInt(step) === 0n

/** Accepts a remainder up to a billionth, or an exact quotient, as pydantic does: 0.3 is a multiple of 0.1. */
function isMultiple(step: number): Check {
  return (value) => {
    const rest = Math.abs(Number(value) % step)
    return !(Math.min(rest, Math.abs(rest - step)) > 1e-9) || Number.isInteger(Number(value) / step)
  }
}
