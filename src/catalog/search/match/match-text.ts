import type { DatabaseSync } from 'node:sqlite'
import { normalizeNumber } from '../../../ports/normalize-number.ts'
import { unite } from '../id-set.ts'
import type { Spelling } from '../words/spelling.ts'
import { mayBeCorrected } from '../words/tokenizer.ts'
import { type ClosestText, createClosestTexts } from './closest-texts.ts'
import type { NumberWithoutPrefixMatcher } from './match-number-without-prefix.ts'
import { createNumberMatcher } from './match-numbers.ts'
import { createPhraseMatcher, isMatch, type PhraseMatcherParts } from './match-phrase.ts'
import type { WordMatch } from './match-words.ts'

/** The products that match a text. The first tiers are those of its numbers. */
export interface TextMatch extends WordMatch {
  /** The corrected text that was searched instead, because no product has the words as they were typed. */
  corrected: string | null
}

export interface TextMatcherParts extends PhraseMatcherParts {
  database: DatabaseSync
  spelling: () => Spelling
  matchDigits: NumberWithoutPrefixMatcher
}

export interface TextMatcher {
  /** Finds products by numbers, words and vehicles. When nothing matches, it corrects the spelling and searches again. */
  match(text: string, customerId: string | null): TextMatch
  /** Returns texts with fewer words that have matches, the best first. For a text that has none. */
  findClosest(text: string): Iterable<ClosestText>
}

/** The rest of a longer text is ignored. */
const MAX_TEXT = 500
const MAX_LISTED = 20
const NONE = new Uint32Array()

export function createTextMatcher(parts: TextMatcherParts): TextMatcher {
  const { spelling, vehicles, matchDigits } = parts
  const matchNumber = createNumberMatcher(parts)
  const phrases = createPhraseMatcher(parts)
  const findClosest = createClosestTexts({ matchWhole: phrases.matchWhole, spelling, vehicles })

  /** Finds several numbers, as they are copied from a list. */
  const matchListed = (numbers: readonly string[], customerId: string | null): Uint32Array[] =>
    numbers.map((one) => matchNumber(normalizeNumber(one), customerId)[0]).filter(({ length }) => length > 0)

  return {
    match(typed, customerId) {
      const text = typed.slice(0, MAX_TEXT)
      const numbers = text.split(/[,;\n]/).slice(0, MAX_LISTED)
      const listed = numbers.length < 2 ? [] : matchListed(numbers, customerId)
      // A product that mentions two of the numbers is not the only product that was meant.
      const byNumber =
        listed.length < 2 ? matchNumber(normalizeNumber(text), customerId) : ([unite(listed), NONE] as const)
      // Who types a whole number has not left a word incomplete.
      const byWords = byNumber[0].length > 0 ? phrases.matchWhole(text) : phrases.match(text)
      const found = unite([...byNumber, byWords.ids])
      if (found.length > 0) return { ids: found, tiers: [...byNumber, ...byWords.tiers], corrected: null }
      const tiers = numbers.length < 2 ? matchDigits(normalizeNumber(text), customerId) : listed
      const ids = unite(tiers)
      const corrected = ids.length === 0 && mayBeCorrected(text) ? spelling().correct(text) : null
      const byCorrected = corrected === null ? null : phrases.match(corrected)
      return byCorrected && isMatch(byCorrected) ? { ...byCorrected, corrected } : { ids, tiers, corrected: null }
    },
    findClosest: (text) => findClosest(text.slice(0, MAX_TEXT)),
  }
}
