import { addValidationError, type Validator } from './validator.ts'

export interface StringLimits {
  minLength?: number
  maxLength?: number
  /** Runs on what clients send: write it so that it takes linear time. */
  pattern?: string | RegExp
}

const characters = (count: number) => `${count} character${count === 1 ? '' : 's'}`

/** Length counts code points, as Python does. A lone surrogate is refused: no store and no upstream can hold it. */
export function createStringValidator({ minLength = 0, maxLength = Infinity, pattern }: StringLimits): Validator {
  const source = pattern instanceof RegExp ? pattern.source : pattern
  const expression = source === undefined ? undefined : new RegExp(source, 'u')
  return (value, items) => {
    if (typeof value !== 'string') return addValidationError(items, 'string_type', NOT_TEXT, value)
    if (!value.isWellFormed()) return addValidationError(items, 'string_unicode', BROKEN, value)
    if (value.length < minLength * 2 && codePoints(value) < minLength) return tooShort(items, value, minLength)
    if (value.length > maxLength && codePoints(value) > maxLength) return tooLong(items, value, maxLength)
    if (expression?.test(value) === false) return mismatch(items, value, source)
    return value
  }
}

const NOT_TEXT = 'Input should be a valid string'
const BROKEN = `${NOT_TEXT}, unable to parse raw data as a unicode string`

type Items = Parameters<Validator>[1]

const tooShort = (items: Items, value: string, least: number) =>
  addValidationError(items, 'string_too_short', `String should have at least ${characters(least)}`, value, {
    min_length: least,
  })

const tooLong = (items: Items, value: string, most: number) =>
  addValidationError(items, 'string_too_long', `String should have at most ${characters(most)}`, value, {
    max_length: most,
  })

const mismatch = (items: Items, value: string, pattern: string | undefined) =>
  addValidationError(items, 'string_pattern_mismatch', `String should match pattern '${pattern}'`, value, { pattern })

function codePoints(text: string): number {
  let count = text.length
  for (let at = 0; at < text.length; at += 1) {
    if ((text.charCodeAt(at) & 0xfc00) === 0xdc00) count -= 1
  }
  return count
}
