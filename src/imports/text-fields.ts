import { ImportFieldError } from './import-errors.ts'
import { quoteValue } from './quote-value.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds them
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffd]/

/** Returns the trimmed text of a field. Throws ImportFieldError for control characters and invalid UTF-8. */
export function parseTextField(name: string, cell: string, maxLength: number): string {
  const text = cell.trim()
  if (text.length > maxLength) throw new ImportFieldError(`${name} is longer than ${maxLength} characters`)
  const found = CONTROLS.exec(text)?.[0]
  if (found === '\ufffd') throw new ImportFieldError(`${name} is not UTF-8: save the file as UTF-8`)
  if (found !== undefined) throw new ImportFieldError(`${name} contains a control character`)
  return text
}

/** Returns a name on one line, in one Unicode form: two spellings of a name must not become two things. */
export function parseNameField(name: string, cell: string, maxLength = 128): string {
  const flat = cell.normalize('NFC').replace(/\s+/g, ' ')
  return parseTextField(name, flat, maxLength)
}

export function parseSkuField(cell: string): string {
  const sku = parseTextField('sku', cell, 128)
  if (sku === '') throw new ImportFieldError('has no sku')
  if (sku === '.' || sku === '..' || /[\n\r\t]/.test(sku))
    throw new ImportFieldError(`sku ${quoteValue(sku)} is not a valid SKU`)
  return sku
}
