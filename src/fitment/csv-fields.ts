import type { Fitment } from '../ports/inventory.ts'

/** Why a line is bad, as its reader is told. */
export class CsvFieldError extends Error {}

export const MIN_MODEL_YEAR = 1900
export const MAX_MODEL_YEAR = 2100
export const MAX_GIVEN_VEHICLE_ID = 999_999_999
const MOST_ENTRIES = 32

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffd]/

/** A field's text, without what stands around it. */
export function parseTextField(name: string, cell: string, longest: number): string {
  const text = cell.trim()
  if (text.length > longest) throw new CsvFieldError(`${name} is longer than ${longest} characters`)
  const found = CONTROLS.exec(text)?.[0]
  if (found === '\ufffd') throw new CsvFieldError(`${name} is not UTF-8: save the file as UTF-8`)
  if (found !== undefined) throw new CsvFieldError(`${name} holds a control character`)
  return text
}

/** On one line, in one Unicode form: two spellings of a name must not be two vehicles. */
export function parseNameField(name: string, cell: string, longest = 128): string {
  const flat = cell.normalize('NFC').replace(/\s+/g, ' ')
  return parseTextField(name, flat, longest)
}

/** 2014, or 2014-2018. */
export function parseYears(cell: string): number[] {
  const text = cell.trim()
  const found = /^(\d{4})(?:\s*[-\u2013]\s*(\d{4}))?$/.exec(text)
  const [from, to] = [Number(found?.[1]), Number(found?.[2] ?? found?.[1])]
  if (!found || from < MIN_MODEL_YEAR || to > MAX_MODEL_YEAR || to < MIN_MODEL_YEAR || from > MAX_MODEL_YEAR)
    throw new CsvFieldError(
      `year ${quoteValue(text)} is not a year from ${MIN_MODEL_YEAR} to ${MAX_MODEL_YEAR}, or a range of them`,
    )
  if (from > to) throw new CsvFieldError(`year ${quoteValue(text)} ends before it begins`)
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

/** Parted by `|`; the same thing twice is there once. */
export function parsePositions(cell: string): string[] {
  return entriesOf('positions', cell).map((entry) => parseNameField('positions', entry, 64))
}

/** `CODE:text`, parted by `|`; what has no code is a note of its own. */
export function parseQualifiers(cell: string): Fitment['qualifiers'] {
  return entriesOf('qualifiers', cell).map((entry) => {
    const at = entry.indexOf(':')
    const [code, text] = at < 0 ? ['NOTE', entry] : [entry.slice(0, at), entry.slice(at + 1)]
    const qualifier = { code: parseNameField('qualifiers', code, 64), text: parseNameField('qualifiers', text, 256) }
    if (qualifier.code === '' || qualifier.text === '')
      throw new CsvFieldError(`qualifiers: ${quoteValue(entry)} is not a code, a colon and a text`)
    return qualifier
  })
}

function entriesOf(name: string, cell: string): string[] {
  const parts = new Set(
    parseTextField(name, cell, 8_192)
      .split('|')
      .map((entry) => entry.trim())
      .filter(Boolean),
  )
  if (parts.size > MOST_ENTRIES) throw new CsvFieldError(`${name} has more than ${MOST_ENTRIES} entries`)
  return [...parts]
}

/** So much of a value as is needed to find it, and nothing that a terminal would obey: JSON escapes some of that alone. */
export const quoteValue = (text: string): string =>
  JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text).replace(
    /[\u007f-\u009f]/g,
    (control) => `\\u00${control.charCodeAt(0).toString(16)}`,
  )
