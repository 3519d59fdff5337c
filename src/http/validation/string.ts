import { addValidationError } from './validation-items.ts'
import type { Validator } from './validator.ts'

export interface StringLimits {
  minLength?: number
  maxLength?: number
  /** Runs on untrusted input: it must take linear time. */
  pattern?: string | RegExp
  /** The error of the pattern, in words. */
  'x-pattern-message'?: string
}

const countCharacters = (count: number) => `${count} character${count === 1 ? '' : 's'}`

/** Length is in code points, as in Python. A lone surrogate is rejected: no store and no upstream system can hold it. */
export function createStringValidator({
  minLength = 0,
  maxLength = Infinity,
  pattern,
  'x-pattern-message': message,
}: StringLimits): Validator {
  const source = pattern instanceof RegExp ? pattern.source : pattern
  const expression = source === undefined ? undefined : new RegExp(source, 'u')
  return (value, items) => {
    if (typeof value !== 'string') return addValidationError(items, 'string_type', NOT_A_STRING, value)
    if (!value.isWellFormed()) return addValidationError(items, 'string_unicode', NOT_UNICODE, value)
    if (value.length < minLength * 2 && countCodePoints(value) < minLength)
      return addTooShortError(items, value, minLength)
    if (value.length > maxLength && countCodePoints(value) > maxLength) return addTooLongError(items, value, maxLength)
    if (expression?.test(value) === false) return addPatternError(items, value, source, message)
    return value
  }
}

const NOT_A_STRING = 'Input should be a valid string'
const NOT_UNICODE = `${NOT_A_STRING}, unable to parse raw data as a unicode string`

type Items = Parameters<Validator>[1]

const addTooShortError = (items: Items, value: string, least: number) =>
  addValidationError(items, 'string_too_short', `String should have at least ${countCharacters(least)}`, value, {
    min_length: least,
  })

const addTooLongError = (items: Items, value: string, most: number) =>
  addValidationError(items, 'string_too_long', `String should have at most ${countCharacters(most)}`, value, {
    max_length: most,
  })

/** A message in words takes the place of the regular expression, which FastAPI shows. */
const addPatternError = (items: Items, value: string, pattern: string | undefined, message: string | undefined) =>
  message === undefined
    ? addValidationError(items, 'string_pattern_mismatch', `String should match pattern '${pattern}'`, value, {
        pattern,
      })
    : addValidationError(items, 'string_pattern_mismatch', message, value)

function countCodePoints(text: string): number {
  let count = text.length
  for (let at = 0; at < text.length; at += 1) {
    if ((text.charCodeAt(at) & 0xfc00) === 0xdc00) count -= 1
  }
  return count
}
