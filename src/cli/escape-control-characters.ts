/** Control and format characters, and line separators: a terminal may obey them, or show a text in another order (U+202E). */
const CONTROL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** Escapes the characters of a text that a terminal would not show as they are. */
export const escapeControlCharacters = (text: string): string =>
  text.replace(CONTROL, (character) => character.split('').map(toEscape).join(''))

const toEscape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
