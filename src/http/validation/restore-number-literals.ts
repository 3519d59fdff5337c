import type { ValidationItem } from '../../contract/validation-error.ts'
import { sourceTextJson } from './json-source-text-access.ts'
import { createJsonValueTextFinder } from './json-value-text.ts'

/** Numbers that JSON.parse may not reproduce as they were written. */
const LOSSY_NUMBER = /\d[.eE]|-0|\d{16}/

/** Longer values keep their numbers as JSON.parse read them. A response repeats 256 characters at most. */
const MAX_VALUE_LENGTH = 2_048

/**
 * Replaces each item's input by the value at the same location of `text`, with numbers as Python would write them: JSON.parse
 * loses the fraction of `1.0` and the last digits of a long integer. Only that value is parsed again, because this takes
 * thirty times as long as JSON.parse.
 */
export function restoreNumberLiterals(items: ValidationItem[], text: string): void {
  if (!LOSSY_NUMBER.test(text)) return
  const findText = createJsonValueTextFinder(text)
  for (const item of items) {
    if (typeof item.input !== 'number' && (typeof item.input !== 'object' || item.input === null)) continue
    const loc = item.type === 'missing' ? item.loc.slice(0, -1) : item.loc
    const source = findText(loc, MAX_VALUE_LENGTH)
    if (source !== undefined) item.input = parseWithLiterals(source) ?? item.input
  }
}

function parseWithLiterals(text: string): unknown {
  try {
    return sourceTextJson.parse(text, (_key, value, { source }) =>
      typeof value === 'number' && source !== undefined ? toLiteral(source, value) : value,
    )
  } catch {
    // Too deeply nested for a reviver: the numbers stay as JSON.parse read them.
    return undefined
  }
}

function toLiteral(source: string, value: number): unknown {
  if (!Number.isFinite(value)) return value
  if (/^-?\d+$/.test(source)) return sourceTextJson.rawJSON(source === '-0' ? '0' : source)
  return sourceTextJson.rawJSON(formatPythonFloat(value))
}

/** Formats a float as Python's repr(): always a fraction, and an exponent below 1e-4 and from 1e16 on. */
function formatPythonFloat(value: number): string {
  if (Object.is(value, -0)) return '-0.0'
  const size = Math.abs(value)
  if (size !== 0 && (size < 1e-4 || size >= 1e16)) return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2')
  return Number.isInteger(value) ? `${value}.0` : String(value)
}
