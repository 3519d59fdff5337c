import type { Spelling } from '../words/spelling.ts'
import { isFiller, splitWords } from '../words/tokenizer.ts'
import { isMatch } from './match-phrase.ts'
import type { WordMatch, WordMatcher } from './match-words.ts'

/** A text that has matches without some of its words. */
export interface ClosestText {
  text: string
  /** As they were typed. */
  leftOut: string[]
  match: WordMatch
}

export interface ClosestTextsParts {
  /** Finds products by all words. */
  matchWhole: WordMatcher
  spelling: () => Spelling
}

interface Word {
  typed: string
  /** As it is searched: its spelling may be corrected. */
  searched: string
}

/** Each word of a text is searched by itself. */
const MAX_WORDS = 8

/** Returns a function that leaves out of a text the words that no product has; if the others find nothing together, one more of them. */
export function createClosestTexts({ matchWhole, spelling }: ClosestTextsParts) {
  const isKnown = (text: string) => isMatch(matchWhole(text))

  function findWord(typed: string): Word | null {
    if (isKnown(typed)) return { typed, searched: typed }
    const corrected = spelling().correct(typed)
    return corrected !== null && isKnown(corrected) ? { typed, searched: corrected } : null
  }

  return function* (text: string): Generator<ClosestText> {
    const typed = text.split(/[\s,;]+/).filter((word) => isWord(word) && !isFiller(word.toLowerCase()))
    if (typed.length < 2 || typed.length > MAX_WORDS) return
    const known = typed.map(findWord).filter((word) => word !== null)
    const closest = (kept: readonly Word[]): ClosestText[] => {
      const text = kept.map(({ searched }) => searched).join(' ')
      const match = matchWhole(text)
      const leftOut = typed.filter((word) => !kept.some((one) => one.typed === word))
      return leftOut.length > 0 && isMatch(match) && isTelling(kept) ? [{ text, leftOut, match }] : []
    }
    const [ofKnown] = known.length === 0 ? [] : closest(known)
    if (ofKnown) yield ofKnown
    else if (known.length > 1) yield* known.flatMap((word) => closest(known.filter((one) => one !== word))).sort(byRank)
  }
}

const isWord = (text: string): boolean => splitWords(text).length > 0

const isNamed = ({ tiers }: WordMatch): boolean => tiers.slice(0, 2).some(({ length }) => length > 0)

/** The rest of a part number, such as the "OZ" of "OZ 1234", says nothing about what is wanted: a word, a size or a model does. */
const TELLING = /\p{L}{3}|\p{L}.*\d|\d.*\p{L}|[^\0-\x7f]/u
const isTelling = (kept: readonly Word[]): boolean => kept.some(({ searched }) => TELLING.test(searched))

const leavesNumber = ({ leftOut }: ClosestText): boolean => leftOut.some((word) => /\d/.test(word))

/** What names products comes first, then what keeps the words rather than a size or a number, then what finds the fewest. */
const byRank = (one: ClosestText, other: ClosestText): number =>
  Number(isNamed(other.match)) - Number(isNamed(one.match)) ||
  Number(leavesNumber(other)) - Number(leavesNumber(one)) ||
  one.match.ids.length - other.match.ids.length
