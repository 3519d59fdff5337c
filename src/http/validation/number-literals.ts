import type { ValidationItem } from '../../contract/validation.ts'
import { rawJson } from './raw-json.ts'

const TELLING = /\d[.eE]|-0|\d{16}/

/**
 * JSON.parse forgets that `1.0` had a fraction and what the last digits of a long integer were; Python does not.
 * Replaces each item's input by the same place of the text, read again with its numbers as Python would write them.
 */
export function restoreNumberLiterals(items: ValidationItem[], text: string): void {
  if (!TELLING.test(text)) return
  const sent = reread(text)
  if (sent === undefined) return
  for (const item of items) item.input = at(sent, item.type === 'missing' ? item.loc.slice(0, -1) : item.loc)
}

function reread(text: string): unknown {
  try {
    return rawJson.parse(text, (_key, value, { source }) =>
      typeof value === 'number' && source !== undefined ? numeral(source, value) : value,
    )
  } catch {
    return undefined // nested too deeply for a reviver; the numbers stay as JSON.parse read them
  }
}

const at = (value: unknown, loc: (string | number)[]) =>
  loc.reduce((inside, key) => (inside as Record<string | number, unknown>)[key], value)

function numeral(source: string, value: number): unknown {
  if (!Number.isFinite(value)) return value
  if (/^-?\d+$/.test(source)) return rawJson.rawJSON(source === '-0' ? '0' : source)
  return rawJson.rawJSON(pythonFloat(value))
}

/** repr() of a float: a fraction always, and an exponent below 1e-4 and from 1e16 on. */
function pythonFloat(value: number): string {
  if (Object.is(value, -0)) return '-0.0'
  const size = Math.abs(value)
  if (size !== 0 && (size < 1e-4 || size >= 1e16)) return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2')
  return Number.isInteger(value) ? `${value}.0` : String(value)
}
