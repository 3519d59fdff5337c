import type { Fitment } from '../ports/inventory.ts'

/** Why a line is bad, as its reader is told. */
export class FieldMistake extends Error {}

export const FIRST_YEAR = 1900
export const LAST_YEAR = 2100
export const MOST_GIVEN_ID = 999_999_999
const MOST_ENTRIES = 32

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffd]/

/** A field's text, without what stands around it. */
export function textOf(name: string, cell: string, longest: number): string {
  const text = cell.trim()
  if (text.length > longest) throw new FieldMistake(`${name} is longer than ${longest} characters`)
  const found = CONTROLS.exec(text)?.[0]
  if (found === '\ufffd') throw new FieldMistake(`${name} is not UTF-8: save the file as UTF-8`)
  if (found !== undefined) throw new FieldMistake(`${name} holds a control character`)
  return text
}

/** On one line, in one Unicode form: two spellings of a name must not be two vehicles. */
export function nameOf(name: string, cell: string, longest = 128): string {
  const flat = cell.normalize('NFC').replace(/\s+/g, ' ')
  return textOf(name, flat, longest)
}

/** 2014, or 2014-2018. */
export function yearsOf(cell: string): number[] {
  const text = cell.trim()
  const found = /^(\d{4})(?:\s*[-\u2013]\s*(\d{4}))?$/.exec(text)
  const [from, to] = [Number(found?.[1]), Number(found?.[2] ?? found?.[1])]
  if (!found || from < FIRST_YEAR || to > LAST_YEAR || to < FIRST_YEAR || from > LAST_YEAR)
    throw new FieldMistake(`year ${quoted(text)} is not a year from ${FIRST_YEAR} to ${LAST_YEAR}, or a range of them`)
  if (from > to) throw new FieldMistake(`year ${quoted(text)} ends before it begins`)
  return Array.from({ length: to - from + 1 }, (_, at) => from + at)
}

export function vehicleIdOf(cell: string): number | null {
  const text = cell.trim()
  if (text === '') return null
  const id = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (id < 1) throw new FieldMistake(`vehicle_id ${quoted(text)} is not a whole number from 1 to ${MOST_GIVEN_ID}`)
  return id
}

export function quantityOf(cell: string): number | null {
  const text = cell.trim()
  if (text === '') return null
  const quantity = /^\d{1,6}(\.\d{1,3})?$/.test(text) ? Number(text) : 0
  if (quantity <= 0) throw new FieldMistake(`quantity ${quoted(text)} is not a number above 0, up to 999999.999`)
  return quantity
}

const YES = new Set(['yes', 'y', 'true', '1', 'x'])
const NO = new Set(['', 'no', 'n', 'false', '0'])

export function isUniversal(cell: string): boolean {
  const text = cell.trim().toLowerCase()
  if (YES.has(text)) return true
  if (NO.has(text)) return false
  throw new FieldMistake(`universal ${quoted(cell.trim())} is neither yes nor no`)
}

/** Parted by `|`; the same thing twice is there once. */
export function positionsOf(cell: string): string[] {
  return entriesOf('positions', cell).map((entry) => nameOf('positions', entry, 64))
}

/** `CODE:text`, parted by `|`; what has no code is a note of its own. */
export function qualifiersOf(cell: string): Fitment['qualifiers'] {
  return entriesOf('qualifiers', cell).map((entry) => {
    const at = entry.indexOf(':')
    const [code, text] = at < 0 ? ['NOTE', entry] : [entry.slice(0, at), entry.slice(at + 1)]
    const qualifier = { code: nameOf('qualifiers', code, 64), text: nameOf('qualifiers', text, 256) }
    if (qualifier.code === '' || qualifier.text === '')
      throw new FieldMistake(`qualifiers: ${quoted(entry)} is not a code, a colon and a text`)
    return qualifier
  })
}

function entriesOf(name: string, cell: string): string[] {
  const parts = new Set(
    textOf(name, cell, 8_192)
      .split('|')
      .map((entry) => entry.trim())
      .filter(Boolean),
  )
  if (parts.size > MOST_ENTRIES) throw new FieldMistake(`${name} has more than ${MOST_ENTRIES} entries`)
  return [...parts]
}

/** So much of a value as is needed to find it, and nothing that a terminal would obey: JSON escapes some of that alone. */
export const quoted = (text: string): string =>
  JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text).replace(
    /[\u007f-\u009f]/g,
    (control) => `\\u00${control.charCodeAt(0).toString(16)}`,
  )
