import fc from 'fast-check'

/** Any code point, as the unit of a text. For its own unit `binary`, fast-check lists all of them, which takes seconds. */
export const codePoint = fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code))
