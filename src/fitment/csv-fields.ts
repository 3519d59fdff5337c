import type { Fitment } from '../ports/vehicle.ts'

/** The error of a bad line. The message is for the user who imports the file. */
export class CsvFieldError extends Error {}

export const MIN_MODEL_YEAR = 1900
export const MAX_MODEL_YEAR = 2100
export const MAX_GIVEN_VEHICLE_ID = 999_999_999
const MAX_ENTRIES = 32

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds them
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffd]/

/** Returns the trimmed text of a field. Throws CsvFieldError for control characters and invalid UTF-8. */
export function parseTextField(name: string, cell: string, maxLength: number): string {
  const text = cell.trim()
  if (text.length > maxLength) throw new CsvFieldError(`${name} is longer than ${maxLength} characters`)
  const found = CONTROLS.exec(text)?.[0]
  if (found === '\ufffd') throw new CsvFieldError(`${name} is not UTF-8: save the file as UTF-8`)
  if (found !== undefined) throw new CsvFieldError(`${name} contains a control character`)
  return text
}

/** Returns a name on one line, in one Unicode form: two spellings of a name must not create two vehicles. */
export function parseNameField(name: string, cell: string, maxLength = 128): string {
  const flat = cell.normalize('NFC').replace(/\s+/g, ' ')
  return parseTextField(name, flat, maxLength)
}

/** Parses 2014, or 2014-2018. */
export function parseYears(cell: string): number[] {
  const text = cell.trim()
  const found = /^(\d{4})(?:\s*[-\u2013]\s*(\d{4}))?$/.exec(text)
  const [from, to] = [Number(found?.[1]), Number(found?.[2] ?? found?.[1])]
  if (!found || from < MIN_MODEL_YEAR || to > MAX_MODEL_YEAR || to < MIN_MODEL_YEAR || from > MAX_MODEL_YEAR)
    throw new CsvFieldError(
      `year ${quoteValue(text)} is not a year from ${MIN_MODEL_YEAR} to ${MAX_MODEL_YEAR}, or a range of them`,
    )
  if (from > to) throw new CsvFieldError(`year ${quoteValue(text)} ends before it starts`)
  return Array.from({ length: to - from + 1 }, (_, at) => from + at)
}

export function parseVehicleId(cell: string): number | null {
  const text = cell.trim()
  if (text === '') return null
  const id = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (id < 1)
    throw new CsvFieldError(`vehicle_id ${quoteValue(text)} is not a whole number from 1 to ${MAX_GIVEN_VEHICLE_ID}`)
  return id
}

export function parseQuantity(cell: string): number | null {
  const text = cell.trim()
  if (text === '') return null
  const quantity = /^\d{1,6}(\.\d{1,3})?$/.test(text) ? Number(text) : 0
  if (quantity <= 0) throw new CsvFieldError(`quantity ${quoteValue(text)} is not a number above 0, up to 999999.999`)
  return quantity
}

const YES = new Set(['yes', 'y', 'true', '1', 'x'])
const NO = new Set(['', 'no', 'n', 'false', '0'])

export function isUniversal(cell: string): boolean {
  const text = cell.trim().toLowerCase()
  if (YES.has(text)) return true
  if (NO.has(text)) return false
  throw new CsvFieldError(`universal ${quoteValue(cell.trim())} is neither yes nor no`)
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
      throw new CsvFieldError(`qualifiers: ${quoteValue(entry)} is not of the form CODE:text`)
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
  if (parts.size > MAX_ENTRIES) throw new CsvFieldError(`${name} has more than ${MAX_ENTRIES} entries`)
  return [...parts]
}

/** Quotes the start of a value for an error message. Escapes all control characters: JSON does not escape U+007F to U+009F. */
export const quoteValue = (text: string): string =>
  JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text).replace(
    /[\u007f-\u009f]/g,
    (control) => `\\u00${control.charCodeAt(0).toString(16)}`,
  )
