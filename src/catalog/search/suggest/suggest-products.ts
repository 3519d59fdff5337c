import type { DatabaseSync } from 'node:sqlite'
import { normalizeNumber } from '../../../ports/normalize-number.ts'
import { cacheByState } from '../cache-by-version.ts'
import type { Columns } from '../columns/product-columns.ts'
import { createNumberMatcher } from '../match/match-numbers.ts'
import { createVehicleMatcher, prepareFits } from '../match/match-vehicle-text.ts'
import { findBestRanked, type IdsInSets, pickBest, sortByRank } from '../order/best-ranked.ts'
import type { Reuse } from '../reuse-tracker.ts'
import { toNameWord, toSearchWords } from '../words/tokenizer.ts'
import type { ParsedVehicleText, VehicleWords } from '../words/vehicle-words.ts'
import type { WordCompletion } from '../words/word-completion.ts'
import type { WordIndex } from '../words/word-index.ts'
import type { SuggestRequest } from './suggestion-types.ts'
import type { TypedText } from './typed-text.ts'

export interface ProductSuggesterParts {
  database: DatabaseSync
  words: WordIndex
  columns: () => Columns
  vehicles: () => VehicleWords
  completion: () => WordCompletion
  /** Allows outdated data for suggestions, for a while after the catalog has changed. */
  reuse: Reuse
}

const MAX_NUMBERS = 50

/** Returns the ids of products, at most the limit of the request. */
export type ProductSuggester = (request: SuggestRequest, typed: TypedText) => number[]

/** Returns a function that suggests products: by the beginning of a number, then by the words of their names, then by others and by vehicles. */
export function createProductSuggester(parts: ProductSuggesterParts): ProductSuggester {
  const { database, words, columns, vehicles, completion } = parts
  const matchNumber = createNumberMatcher(parts, MAX_NUMBERS)
  const matchVehicle = createVehicleMatcher(parts)
  const fits = prepareFits(database, words)
  const byRank = cacheByState(database, 'sequence', () => sortByRank(columns()), parts.reuse)
  const hasProducts = (text: string) => words.findAll(toSearchWords(text)).length > 0
  const setsOf = (list: readonly string[]) => list.map((word) => words.findAll([word]))

  /** Returns the products that have the words before the last one, then those that fit the vehicle that they name, then those that fit all. */
  function matchEarlier({ earlier, earlierText }: TypedText): Omit<IdsInSets, 'any'>[] {
    const readings = earlierText === '' ? [] : vehicles().parseAll(earlierText)
    const [likeliest] = readings
    if (!likeliest) return [{ all: setsOf(earlier) }]
    const setsOfRest = ({ rest }: ParsedVehicleText) => setsOf(rest.flatMap(toSearchWords))
    const fitting = readings
      .map((reading) => ({ reading, all: [...setsOfRest(reading), ...setsOf(reading.words)] }))
      .filter(({ all }) => all.every(({ length }) => length > 0))
      .map(({ reading, all }) => ({ all: reading.years.length === 0 ? all : [...all, fits(reading)] }))
    return [{ all: setsOf(earlier) }, ...fitting, { all: [...setsOfRest(likeliest), columns().allUniversal()] }]
  }

  /** Returns the products that fit the vehicle of a text that ends with a year. */
  function matchYear(text: string): IdsInSets[] {
    const years = vehicles().parse(text)?.years ?? []
    const isLast = years.length > 0 && text.trimEnd().endsWith(String(years.at(-1)))
    return isLast ? [{ all: [], any: matchVehicle(text, hasProducts(text)) }] : []
  }

  function matchWords(text: string, typed: TypedText, limit: number): number[] {
    const { beginnings } = typed
    const names = setsOf(completion().complete(beginnings))
    const all = [...names, ...setsOf(vehicles().complete(beginnings))]
    const [asWords, ...byVehicle] = matchEarlier(typed).map((earlier) => ({ ...earlier, any: all }))
    const groups = [
      { all: setsOf(typed.earlier.map(toNameWord)), any: names },
      asWords!,
      ...matchYear(text),
      ...byVehicle,
    ]
    const possible = groups.filter((group) => group.all.every(({ length }) => length > 0))
    return findBestRanked(possible, columns(), byRank(), limit)
  }

  return ({ text, limit, customerId = null }, typed) => {
    const numbers = matchNumber(normalizeNumber(text), customerId)
    const best = numbers.flatMap((ids) => pickBest([ids], columns(), limit))
    if (best.length < limit) best.push(...matchWords(text, typed, limit))
    if (best.length === 0) best.push(...pickBest(matchVehicle(text), columns(), limit))
    return [...new Set(best)].slice(0, limit)
  }
}
