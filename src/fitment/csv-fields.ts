import { ImportFieldError } from '../imports/import-errors.ts'
import { quoteValue } from '../imports/quote-value.ts'
import { parseNameField, parseTextField } from '../imports/text-fields.ts'
import type { Fitment } from '../ports/sku-fitments.ts'

export const MIN_MODEL_YEAR = 1900
export const MAX_MODEL_YEAR = 2100
export const MAX_GIVEN_VEHICLE_ID = 999_999_999
const MAX_ENTRIES = 32

/** Parses 2014, or 2014-2018. */
export function parseYears(cell: string): number[] {
  const text = cell.trim()
  const found = /^(\d{4})(?:\s*[-\u2013]\s*(\d{4}))?$/.exec(text)
  const [from, to] = [Number(found?.[1]), Number(found?.[2] ?? found?.[1])]
  if (!found || from < MIN_MODEL_YEAR || to > MAX_MODEL_YEAR || to < MIN_MODEL_YEAR || from > MAX_MODEL_YEAR)
    throw new ImportFieldError(
      `year ${quoteValue(text)} is not a year from ${MIN_MODEL_YEAR} to ${MAX_MODEL_YEAR}, or a range of them`,
    )
  if (from > to) throw new ImportFieldError(`year ${quoteValue(text)} ends before it starts`)
  return Array.from({ length: to - from + 1 }, (_, at) => from + at)
}

export function parseVehicleId(cell: string): number | null {
  const text = cell.trim()
  if (text === '') return null
  const id = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (id < 1)
    throw new ImportFieldError(`vehicle_id ${quoteValue(text)} is not a whole number from 1 to ${MAX_GIVEN_VEHICLE_ID}`)
  return id
}

export function parseQuantity(cell: string): number | null {
  const text = cell.trim()
  if (text === '') return null
  const quantity = /^\d{1,6}(\.\d{1,3})?$/.test(text) ? Number(text) : 0
  if (quantity <= 0)
    throw new ImportFieldError(`quantity ${quoteValue(text)} is not a number above 0, up to 999999.999`)
  return quantity
}

const YES = new Set(['yes', 'y', 'true', '1', 'x'])
const NO = new Set(['', 'no', 'n', 'false', '0'])

export function isUniversal(cell: string): boolean {
  const text = cell.trim().toLowerCase()
  if (YES.has(text)) return true
  if (NO.has(text)) return false
  throw new ImportFieldError(`universal ${quoteValue(cell.trim())} is neither yes nor no`)
}

/** Parses entries separated by `|`. Drops duplicates. */
export function parsePositions(cell: string): string[] {
  return splitEntries('positions', cell).map((entry) => parseNameField('positions', entry, 64))
}

/** Parses `CODE:text` entries separated by `|`. An entry without a code gets the code NOTE. */
export function parseQualifiers(cell: string): Fitment['qualifiers'] {
  return splitEntries('qualifiers', cell).map((entry) => {
    const at = entry.indexOf(':')
    const [code, text] = at < 0 ? ['NOTE', entry] : [entry.slice(0, at), entry.slice(at + 1)]
    const qualifier = { code: parseNameField('qualifiers', code, 64), text: parseNameField('qualifiers', text, 256) }
    if (qualifier.code === '' || qualifier.text === '')
      throw new ImportFieldError(`qualifiers: ${quoteValue(entry)} is not of the form CODE:text`)
    return qualifier
  })
}

function splitEntries(name: string, cell: string): string[] {
  const parts = new Set(
    parseTextField(name, cell, 8_192)
      .split('|')
      .map((entry) => entry.trim())
      .filter(Boolean),
  )
  if (parts.size > MAX_ENTRIES) throw new ImportFieldError(`${name} has more than ${MAX_ENTRIES} entries`)
  return [...parts]
}
