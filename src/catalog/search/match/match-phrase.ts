import { unite } from '../id-set.ts'
import type { ParentCategoryNames } from '../words/parent-category-names.ts'
import type { Synonyms } from '../words/synonyms.ts'
import { isFiller } from '../words/tokenizer.ts'
import { mayBeModelYear } from '../words/vehicle-choices.ts'
import type { WordCompletion } from '../words/word-completion.ts'
import type { VehicleMatcherParts } from './match-vehicle-text.ts'
import {
  createWordMatcher,
  mergeMatches,
  NO_MATCH,
  toTypedWords,
  type WordMatch,
  type WordMatcher,
} from './match-words.ts'
import { type CategoryNameParts, withCategoryNames, withCategoryWords } from './with-category-names.ts'

export interface PhraseMatcherParts extends VehicleMatcherParts, CategoryNameParts {
  names: () => ParentCategoryNames
  completion: () => WordCompletion
  synonyms: Synonyms
}

export interface PhraseMatcher {
  /** Finds products by all words of a text or of its synonyms. */
  matchWhole: WordMatcher
  /** Does the same; if that finds nothing, the last word may be incomplete, and words such as "for" are left out. */
  match: WordMatcher
}

export function createPhraseMatcher(parts: PhraseMatcherParts): PhraseMatcher {
  const { names, completion, synonyms } = parts
  const words = withCategoryNames(parts)
  const matchWords = createWordMatcher({ ...parts, words })
  const matchCategoryWords = createWordMatcher({ ...parts, words: withCategoryWords(parts) })

  const namesCategory = (text: string) => toTypedWords(text).some((word) => names().withWord(word).length > 0)

  function matchAll(texts: readonly string[]): WordMatch {
    const matches = texts.map(matchWords).filter(isMatch)
    const byCategories =
      matches.length > 0 ? matches : texts.filter(namesCategory).map(matchCategoryWords).filter(isMatch)
    return byCategories.length > 0 ? mergeMatches(byCategories) : NO_MATCH
  }

  /** The last word may be only the beginning of a word. */
  const findBeginning = (typed: readonly string[]) =>
    completion()
      .complete(typed.slice(-1))
      .map((word) => words.findAll([...typed.slice(0, -1), word]))

  function matchSynonyms(text: string): WordMatch {
    const texts = synonyms.expand(text)
    const match = matchAll(texts)
    return isMatch(match) ? match : toMatch(unite(texts.map(toTypedWords).flatMap(findBeginning)))
  }

  return {
    matchWhole: (text) => matchAll(synonyms.expand(text)),
    /** A phrase that no product has may have one without its fillers: `pads for a corolla`. */
    match(text) {
      const found = matchSynonyms(text)
      const shorter = isMatch(found) ? null : withoutFillers(text)
      return shorter === null ? found : matchSynonyms(shorter)
    },
  }
}

export const isMatch = ({ ids }: WordMatch): boolean => ids.length > 0

const toMatch = (ids: Uint32Array): WordMatch => ({ ids, tiers: [ids] })

/**
 * Returns the text without fillers; `null` when it has none, or when too little else is left: in `OF 1001`, the filler is a part of a number.
 */
function withoutFillers(text: string): string | null {
  const words = text.split(/\s+/)
  const kept = words.filter((word) => !isFiller(word.toLowerCase()))
  const names = kept.filter((word) => !/\d/.test(word))
  const numbers = kept.filter((word) => /\d/.test(word) && !mayBeModelYear(word))
  const isEnough = names.length >= 2 || (names.length > 0 && numbers.length === 0)
  return isEnough && kept.length < words.length ? kept.join(' ') : null
}
