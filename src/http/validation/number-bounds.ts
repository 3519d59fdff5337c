import type { ValidationItem } from '../../contract/validation.ts'
import { rawJson } from './raw-json.ts'
import { addValidationError } from './validator.ts'

export interface NumberLimits {
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  multipleOf?: number
}

type Holds = (value: number | bigint) => boolean
type Bound = { type: string; msg: string; ctx: Record<string, unknown>; holds: Holds }

/** Adds at most one item, in pydantic's order of checks. */
export type BoundsCheck = (value: number | bigint, input: unknown, items: ValidationItem[]) => void

/** JSON has one kind of number, Python two: a float's limit is written `0.0`. */
const asFloat = (value: number) => rawJson.rawJSON(Number.isInteger(value) ? `${value}.0` : String(value))

export function createBoundsCheck(limits: NumberLimits, kind: 'integer' | 'float'): BoundsCheck {
  const bounds = boundsOf(limits, kind)
  return (value, input, items) => {
    for (const bound of bounds) {
      if (!bound.holds(value)) return addValidationError(items, bound.type, bound.msg, input, bound.ctx)
    }
  }
}

/** Each test is written so that NaN fails it. */
function boundsOf(limits: NumberLimits, kind: 'integer' | 'float'): Bound[] {
  const show = kind === 'float' ? asFloat : (limit: number) => limit
  const bounds: Bound[] = []
  const add = (
    limit: number | undefined,
    name: string,
    type: string,
    words: string,
    test: (limit: number) => Holds,
  ) => {
    if (limit === undefined) return
    bounds.push({ type, msg: `Input should be ${words} ${limit}`, ctx: { [name]: show(limit) }, holds: test(limit) })
  }
  add(limits.multipleOf, 'multiple_of', 'multiple_of', 'a multiple of', kind === 'float' ? isMultiple : isExactMultiple)
  add(limits.maximum, 'le', 'less_than_equal', 'less than or equal to', (limit) => (value) => value <= limit)
  add(limits.exclusiveMaximum, 'lt', 'less_than', 'less than', (limit) => (value) => value < limit)
  add(limits.minimum, 'ge', 'greater_than_equal', 'greater than or equal to', (limit) => (value) => value >= limit)
  add(limits.exclusiveMinimum, 'gt', 'greater_than', 'greater than', (limit) => (value) => value > limit)
  return bounds
}

const isExactMultiple =
  (step: number): Holds =>
  (value) =>
    BigInt(value) % BigInt(step) === 0n

/** To within a billionth, or exactly after division, as pydantic has it: 0.3 is a multiple of 0.1. */
function isMultiple(step: number): Holds {
  return (value) => {
    const rest = Math.abs(Number(value) % step)
    return !(Math.min(rest, Math.abs(rest - step)) > 1e-9) || Number.isInteger(Number(value) / step)
  }
}
