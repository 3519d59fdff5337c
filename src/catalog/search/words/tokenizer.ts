import pluralize from 'pluralize'

const MARKS = /\p{M}+/gu
/** Sizes are written "M12 × 1.5" and typed "m12x1.5". */
const TIMES = /×/g
/** In scripts without spaces, each character is a word. In other scripts, a word is a run of letters and digits. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{N}])+/gu
const MAX_WORD_LENGTH = 64
/** Singulars are looked up a million times while a mirror is filled. */
const singulars = new Map<string, string>()
const MAX_SINGULARS = 100_000

/** Most texts are ASCII, which needs no folding but the case. */
const ASCII = /^[\0-\x7f]*$/

export const isAscii = (text: string): boolean => ASCII.test(text)

/** Letters that Unicode does not decompose into a letter and its marks, as they are written without them. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
}
const SPECIAL_LETTERS = new RegExp(`[${Object.keys(PLAIN_LETTERS).join('')}]`, 'g')

/** Returns the text in lower case and in plain letters: without accents, and "ß" as "ss". */
export const foldText = (text: string): string =>
  isAscii(text)
    ? text.toLowerCase()
    : text
        .normalize('NFKD')
        .replace(MARKS, '')
        .replace(TIMES, 'x')
        .toLowerCase()
        .replace(SPECIAL_LETTERS, (letter) => PLAIN_LETTERS[letter]!)

/** Calls `take` with the place of each word in the folded text. Most texts are ASCII: they need no expression, and no string for each word. */
export function eachWord(text: string, take: (folded: string, from: number, to: number) => void): void {
  const folded = foldText(text)
  if (!isAscii(folded)) {
    for (const [word] of folded.matchAll(WORD)) take(word, 0, Math.min(word.length, MAX_WORD_LENGTH))
    return
  }
  for (let at = 0; at < folded.length; ) {
    const from = at
    while (at < folded.length && isWordCharacter(folded.charCodeAt(at))) at += 1
    if (at > from) take(folded, from, Math.min(at, from + MAX_WORD_LENGTH))
    else at += 1
  }
}

/** For lower case ASCII. */
const isWordCharacter = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 48 && code <= 57)

/** Returns the words of a text, folded, as they are written. */
export function splitWords(text: string): string[] {
  const words: string[] = []
  eachWord(text, (folded, from, to) => void words.push(folded.slice(from, to)))
  return words
}

/** Returns the words of a text, folded and in the singular: "Brake Pads" and "brake pad" have the same. */
export const toSearchWords = (text: string): string[] => splitWords(text).map(toSingular)

export function toSingular(word: string): string {
  const known = singulars.get(word)
  if (known !== undefined) return known
  if (/\d/.test(word)) return word
  const singular = pluralize.singular(word)
  if (singulars.size >= MAX_SINGULARS) singulars.clear()
  singulars.set(word, singular)
  return singular
}

/** Returns neighbouring words written as one: "spark plug" is found as "sparkplug", "20W-50" as "20w50". */
export const joinNeighbours = (text: string): string[] => joinWords(splitWords(text))

export const joinWords = (words: readonly string[], singulars = words.map(toSingular)): string[] =>
  singulars.slice(1).map((singular, index) => (words[index]! + singular).slice(0, MAX_WORD_LENGTH))

const LETTERS_OR_DIGITS = /\d+|\D+/g

/** Splits words with letters and digits into runs of each: "205/55R16" also has the parts "r" and "16". */
export const splitMixedWords = (text: string): string[] => splitWords(text).flatMap(splitMixedWord)

export const splitMixedWord = (word: string): string[] =>
  /\d/.test(word) ? (word.match(LETTERS_OR_DIGITS) ?? []) : [word]

export const MIN_CORRECTABLE = 4

const FILLERS = new Set(
  'a an and any buy for from i in me my need of on or our please some the to want with your'.split(' '),
)

/** Returns true for a word that a product rarely has, but that people write between its words. */
export const isFiller = (word: string): boolean => FILLERS.has(word)

/** Returns true for a word that may be a misspelt one. A number is never corrected: a part number with one different digit is another part. */
export const isCorrectable = (word: string): boolean => word.length >= MIN_CORRECTABLE && !/[\d:]/.test(word)

/** Returns false for a text that needs no spelling, such as a number. */
export const mayBeCorrected = (text: string): boolean => splitWords(text).some(isCorrectable)

/** The index word of a word in a product's name, brand or categories: these come before words of its description. */
export const toNameWord = (word: string): string => `name:${word}`

/** The index word of a product's category: "Brake Pads" is found first in its category, whatever else mentions brake pads. */
export const toCategoryWord = (words: readonly string[]): string => `category:${[...new Set(words)].sort().join(':')}`

/** The index word of a vehicle that a product fits. */
export const toVehicleWord = (vehicleId: number): string => `vehicle:${vehicleId}`

/** The index word of the year of a vehicle that a product fits. */
export const toYearWord = (year: number): string => `year:${year}`

/** Returns true for a word that is found by the numbers of products as well. It is not indexed again where it is the whole number. */
export const mayBeNumber = (word: string): boolean => /^[^:]*\d[^:]*$/.test(word)
