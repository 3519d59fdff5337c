/** What systems put between the parts of a number: `SO-200001`, `S00012`, `INV/2026/0001`. */
const SEPARATORS = ['-', '', ' ', '/', '_', '.']
const MAX_PARTS = 4
const MAX_DIGITS = 12

/** Returns the usual spellings of a number: `SO 200001`, `so200001` and `SO-200001` are one. The store finds each by its index. */
export function listNumberSpellings(typed: string): string[] {
  const parts = typed.match(/\p{L}+|\p{N}+/gu) ?? []
  if (parts.length < 2 || parts.length > MAX_PARTS) return []
  return SEPARATORS.map((separator) => parts.join(separator))
}

/** Returns whether a text may be the number of an order or an invoice: `SO-100106`, `INV/2026/0001`, `S00012`, `200001`. */
export const isDocumentNumber = (typed: string): boolean => /^#?\p{L}{0,8}(?:[-/ _.]?\d{2,12}){1,3}$/u.test(typed)

/** Returns the numbers that typed digits may stand for, by a number of the same series: `200001` is `SO-200001` beside `SO-199999`, and `12` is `S00012`. */
export function completeNumber(digits: string, sample: string): string[] {
  if (!/^\d+$/.test(digits) || digits.length > MAX_DIGITS) return []
  const [, prefix, last] = /^(.*?)(\d+)$/.exec(sample) ?? []
  if (prefix === undefined || last === undefined) return []
  return [...new Set([`${prefix}${digits}`, `${prefix}${digits.padStart(last.length, '0')}`])]
}
