import type { DatabaseSync } from 'node:sqlite'
import { normalizeNumber } from '../../../ports/reference.ts'
import type { Columns } from '../columns/product-columns.ts'
import { unite } from '../id-set.ts'
import type { Spelling } from '../words/spelling.ts'
import type { Synonyms } from '../words/synonyms.ts'
import {
  isFiller,
  joinNeighbours,
  splitMixedWords,
  toCategoryWord,
  toNameWord,
  toSearchWords,
} from '../words/tokenizer.ts'
import type { VehicleWords } from '../words/vehicle-words.ts'
import type { WordCompletion } from '../words/word-completion.ts'
import type { WordIndex } from '../words/word-index.ts'
import { createNumberMatcher } from './match-numbers.ts'
import { createVehicleMatcher } from './match-vehicle.ts'

/** The products that match a text. */
export interface TextMatch {
  /** In ascending order, as are the tiers. */
  ids: Uint32Array
  /** Products of the first tiers come first. A product may be in several. */
  tiers: readonly Uint32Array[]
  /** The corrected text that was searched instead, because no product has the words as they were typed. */
  corrected: string | null
}

export interface TextMatcherParts {
  database: DatabaseSync
  words: WordIndex
  columns: () => Columns
  vehicles: () => VehicleWords
  spelling: () => Spelling
  completion: () => WordCompletion
  synonyms: Synonyms
}

export type TextMatcher = (text: string, customerId: string | null) => TextMatch

/** The tiers are the products in a category of that name, then matches by name, by any word, and by vehicle. */
type WordMatch = Omit<TextMatch, 'corrected'>

const NO_MATCH: WordMatch = { ids: new Uint32Array(), tiers: [] }

/** The rest of a longer text is ignored. */
const MAX_TEXT = 500
const MAX_WORDS = 16
const MAX_VARIANTS = 8
/** The minimum number of parts of a mixed word. The parts of "M1" would match every "M" and "1"; "m12x1.5" is a size. */
const MIN_PARTS = 3
/** When the words as typed match this many products, other spellings add nothing useful. */
const ENOUGH_PRODUCTS = 1_000

/** Creates a matcher by numbers, words and vehicles. When nothing matches, it corrects the spelling and searches again. */
export function createTextMatcher(parts: TextMatcherParts): TextMatcher {
  const { words, spelling, completion, synonyms } = parts
  const matchNumber = createNumberMatcher(parts.database)
  const matchVehicle = createVehicleMatcher(parts)

  function matchWords(text: string): WordMatch {
    const typed = toTypedWords(text)
    if (typed.length === 0) return NO_MATCH
    const found = words.findAll(typed)
    const variants = found.length < ENOUGH_PRODUCTS ? variantsOf(text).map((variant) => words.findAll(variant)) : []
    const fitting = matchVehicle(text)
    // The words of a category and of a name are words of the product as well.
    const ids = unite([found, ...variants, ...fitting])
    if (ids.length === 0) return NO_MATCH
    const named = words.findAll(typed.map(toNameWord), found)
    return { ids, tiers: [words.findAll([toCategoryWord(typed)]), named, unite([found, ...variants]), ids] }
  }

  /** The last word may be only the beginning of a word. */
  const findBeginning = (typed: readonly string[]) =>
    completion()
      .complete(typed.slice(-1))
      .map((word) => words.findAll([...typed.slice(0, -1), word]))

  function matchSynonyms(text: string): WordMatch {
    const texts = synonyms.expand(text)
    const matches = texts.map(matchWords).filter(({ ids }) => ids.length > 0)
    return matches.length > 0 ? mergeMatches(matches) : toMatch(unite(texts.map(toTypedWords).flatMap(findBeginning)))
  }

  /** A phrase that no product has may have one without its fillers: `pads for a corolla`. */
  function matchPhrase(text: string): WordMatch {
    const found = matchSynonyms(text)
    const shorter = found.ids.length > 0 ? null : withoutFillers(text)
    return shorter === null ? found : matchSynonyms(shorter)
  }

  return (typed, customerId) => {
    const text = typed.slice(0, MAX_TEXT)
    const numbers = matchNumber(normalizeNumber(text), customerId)
    const byWords = matchPhrase(text)
    const ids = unite([...numbers, byWords.ids])
    const corrected = ids.length > 0 ? null : spelling().correct(text)
    const byCorrected = corrected === null ? null : matchPhrase(corrected)
    return byCorrected && byCorrected.ids.length > 0
      ? { ...byCorrected, corrected }
      : { ids, tiers: [...numbers, ...byWords.tiers], corrected: null }
  }
}

/**
 * Returns the text without fillers; `null` when it has none, or when too little else is left: in `OF 1001`, the filler is a part of a number.
 */
function withoutFillers(text: string): string | null {
  const words = text.split(/\s+/)
  const kept = words.filter((word) => !isFiller(word.toLowerCase()))
  const names = kept.filter((word) => !/\d/.test(word))
  const isEnough = names.length >= 2 || (names.length > 0 && names.length === kept.length)
  return isEnough && kept.length < words.length ? kept.join(' ') : null
}

const toTypedWords = (text: string): string[] => [...new Set(toSearchWords(text))].slice(0, MAX_WORDS)

/** Returns the products of all matches, tier by tier. */
const mergeMatches = (matches: readonly WordMatch[]): WordMatch =>
  matches.length === 1
    ? matches[0]!
    : {
        ids: unite(matches.map(({ ids }) => ids)),
        tiers: matches[0]!.tiers.map((_, at) => unite(matches.map(({ tiers }) => tiers[at]!))),
      }

const toMatch = (ids: Uint32Array): WordMatch => ({ ids, tiers: [ids] })

/** Returns variants of the words: with each pair of neighbours joined, and with mixed words split into parts. */
function variantsOf(text: string): string[][] {
  const words = toSearchWords(text).slice(0, MAX_WORDS)
  const joined = joinNeighbours(text)
    .slice(0, MAX_VARIANTS)
    .map((pair, at) => [...words.slice(0, at), pair, ...words.slice(at + 2)])
  const parts = splitMixedWords(text).flatMap(toSearchWords).slice(0, MAX_WORDS)
  return parts.length > words.length && parts.length >= MIN_PARTS ? [...joined, parts] : joined
}
