import type { ValidationItem } from '../../contract/validation.ts'
import { rawJson } from './raw-json.ts'

/** Numbers that JSON.parse may not reproduce as they were written. */
const LOSSY_NUMBER = /\d[.eE]|-0|\d{16}/

/**
 * Replaces each item's input by the value at the same location of `text`, with numbers as Python would write them: JSON.parse
 * loses the fraction of `1.0` and the last digits of a long integer.
 */
export function restoreNumberLiterals(items: ValidationItem[], text: string): void {
  if (!LOSSY_NUMBER.test(text)) return
  const body = parseWithLiterals(text)
  if (body === undefined) return
  for (const item of items) item.input = valueAt(body, item.type === 'missing' ? item.loc.slice(0, -1) : item.loc)
}

function parseWithLiterals(text: string): unknown {
  try {
    return rawJson.parse(text, (_key, value, { source }) =>
      typeof value === 'number' && source !== undefined ? toLiteral(source, value) : value,
    )
  } catch {
    // Too deeply nested for a reviver: the numbers stay as JSON.parse read them.
    return undefined
  }
}

const valueAt = (value: unknown, loc: (string | number)[]) =>
  loc.reduce((container, key) => (container as Record<string | number, unknown>)[key], value)

function toLiteral(source: string, value: number): unknown {
  if (!Number.isFinite(value)) return value
  if (/^-?\d+$/.test(source)) return rawJson.rawJSON(source === '-0' ? '0' : source)
  return rawJson.rawJSON(formatPythonFloat(value))
}

/** Formats a float as Python's repr(): always a fraction, and an exponent below 1e-4 and from 1e16 on. */
function formatPythonFloat(value: number): string {
  if (Object.is(value, -0)) return '-0.0'
  const size = Math.abs(value)
  if (size !== 0 && (size < 1e-4 || size >= 1e16)) return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2')
  return Number.isInteger(value) ? `${value}.0` : String(value)
}
