import { addValidationError } from './validation-items.ts'
import type { Validator } from './validator.ts'

export type Literal = string | number | boolean

/** Validates one of a few fixed values, without conversion: `"1"` is not 1. */
export function createLiteralValidator(literals: readonly Literal[]): Validator {
  const allowed = new Set<unknown>(literals)
  const expected = joinWithOr(literals.map(toPythonLiteral))
  return (value, items) =>
    allowed.has(value)
      ? value
      : addValidationError(items, 'literal_error', `Input should be ${expected}`, value, { expected })
}

/** Returns `'a'`, `'a' or 'b'`, or `'a', 'b' or 'c'`. */
function joinWithOr(words: string[]): string {
  const last = words.at(-1) ?? ''
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`
}

function toPythonLiteral(literal: Literal): string {
  if (typeof literal === 'boolean') return literal ? 'True' : 'False'
  if (typeof literal === 'number') return String(literal)
  const quote = literal.includes("'") && !literal.includes('"') ? '"' : "'"
  return quote + literal.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`) + quote
}
