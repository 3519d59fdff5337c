import pluralize from 'pluralize'
import { splitWords, toSearchWords } from '../words/tokenizer.ts'

/** A text that somebody is typing, as words. */
export interface TypedText {
  /** The words before the last one, in the singular. */
  earlier: readonly string[]
  /** What the last word may begin with: as typed, and as the singular of a plural that is half typed ("batteri" is "battery"). */
  beginnings: readonly string[]
  /** The words before the last one, as a text. */
  earlierText: string
}

const MAX_TEXT = 200
const MAX_WORDS = 8

/** Returns `null` for a text without a word. */
export function parseTypedText(text: string): TypedText | null {
  const words = splitWords(text.slice(0, MAX_TEXT)).slice(0, MAX_WORDS)
  const last = words.pop()
  if (last === undefined) return null
  const beginnings = /\d/.test(last) ? [last] : [last, pluralize.singular(last), pluralize.singular(`${last}es`)]
  const earlierText = words.join(' ')
  return { earlier: toSearchWords(earlierText), beginnings: [...new Set(beginnings)], earlierText }
}

/** Returns the words by which a name is suggested: as it is written, and in the singular. */
export const toNameWords = (name: string): string[] => [...new Set([...splitWords(name), ...toSearchWords(name)])]

/** Returns true if the words have each earlier word, and one that begins like the last word. */
export const completes = (
  words: readonly string[],
  { earlier, beginnings }: Pick<TypedText, 'earlier' | 'beginnings'>,
): boolean =>
  earlier.every((word) => words.includes(word)) &&
  words.some((word) => beginnings.some((beginning) => word.startsWith(beginning)))
