const MAX_WORDS = 10
const MAX_WORD_LENGTH = 64

/** Returns the words of a query without accents, in lower case. */
export function splitWords(q = ''): string[] {
  const words = foldText(q).trim().split(/\s+/).filter(Boolean)
  return words.slice(0, MAX_WORDS).map((word) => [...word].slice(0, MAX_WORD_LENGTH).join(''))
}

/** Returns a text without accents, in lower case. */
export const foldText = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
