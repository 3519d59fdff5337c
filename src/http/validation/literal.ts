import { addValidationError, type Validator } from './validator.ts'

export type Literal = string | number | boolean

/** One of a few fixed values; never converted, so `"1"` is not 1. */
export function createLiteralValidator(literals: readonly Literal[]): Validator {
  const allowed = new Set<unknown>(literals)
  const expected = listed(literals.map(inPython))
  return (value, items) =>
    allowed.has(value)
      ? value
      : addValidationError(items, 'literal_error', `Input should be ${expected}`, value, { expected })
}

/** `'a'`, `'a' or 'b'`, `'a', 'b' or 'c'`. */
function listed(words: string[]): string {
  const last = words.at(-1) ?? ''
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`
}

function inPython(literal: Literal): string {
  if (typeof literal === 'boolean') return literal ? 'True' : 'False'
  if (typeof literal === 'number') return String(literal)
  const quote = literal.includes("'") && !literal.includes('"') ? '"' : "'"
  return quote + literal.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`) + quote
}
