import { unite } from '../id-set.ts'
import { joinNeighbours, splitMixedWords, toCategoryWord, toNameWord, toSearchWords } from '../words/tokenizer.ts'
import type { WordIndex } from '../words/word-index.ts'
import { createVehicleMatcher, type VehicleMatcherParts } from './match-vehicle-text.ts'

/** The products that match words. */
export interface WordMatch {
  /** In ascending order, as are the tiers. */
  ids: Uint32Array
  /** The products in a category of that name, then matches by name, by any word, and by vehicle. A product may be in several. */
  tiers: readonly Uint32Array[]
}

/** Finds the products that have all words of a text, or that fit the vehicle that it names and have the others. */
export type WordMatcher = (text: string) => WordMatch

export const NO_MATCH: WordMatch = { ids: new Uint32Array(), tiers: [] }

const MAX_WORDS = 16
const MAX_VARIANTS = 8
/** The minimum number of parts of a mixed word. The parts of "M1" would match every "M" and "1"; "m12x1.5" is a size. */
const MIN_PARTS = 3
/** When the words as typed match this many products, other spellings add nothing useful. */
const ENOUGH_PRODUCTS = 1_000

export function createWordMatcher(parts: VehicleMatcherParts & { words: WordIndex }): WordMatcher {
  const { words } = parts
  const matchVehicle = createVehicleMatcher(parts)
  return (text) => {
    const typed = toTypedWords(text)
    if (typed.length === 0) return NO_MATCH
    const found = words.findAll(typed)
    const variants = found.length < ENOUGH_PRODUCTS ? variantsOf(text).map((variant) => words.findAll(variant)) : []
    const fitting = matchVehicle(
      text,
      [found, ...variants].some(({ length }) => length > 0),
    )
    // The words of a category and of a name are words of the product as well.
    const ids = unite([found, ...variants, ...fitting])
    if (ids.length === 0) return NO_MATCH
    const named = words.findAll(typed.map(toNameWord), found)
    return { ids, tiers: [words.findAll([toCategoryWord(typed)]), named, unite([found, ...variants]), ids] }
  }
}

export const toTypedWords = (text: string): string[] => [...new Set(toSearchWords(text))].slice(0, MAX_WORDS)

/** Returns the products of all matches, tier by tier. */
export const mergeMatches = (matches: readonly WordMatch[]): WordMatch =>
  matches.length === 1
    ? matches[0]!
    : {
        ids: unite(matches.map(({ ids }) => ids)),
        tiers: matches[0]!.tiers.map((_, at) => unite(matches.map(({ tiers }) => tiers[at]!))),
      }

/** Returns variants of the words: with each pair of neighbours joined, and with mixed words split into parts. */
function variantsOf(text: string): string[][] {
  const words = toSearchWords(text).slice(0, MAX_WORDS)
  const joined = joinNeighbours(text)
    .slice(0, MAX_VARIANTS)
    .map((pair, at) => [...words.slice(0, at), pair, ...words.slice(at + 2)])
  const parts = splitMixedWords(text).flatMap(toSearchWords).slice(0, MAX_WORDS)
  return parts.length > words.length && parts.length >= MIN_PARTS ? [...joined, parts] : joined
}
