import type { DatabaseSync } from 'node:sqlite'
import type { Columns } from '../columns/product-columns.ts'
import { intersect, unite } from '../id-set.ts'
import { toSearchWords, toVehicleWord, toYearWord } from '../words/tokenizer.ts'
import { mayBeYear, type ParsedVehicleText, type VehicleWords } from '../words/vehicle-words.ts'
import type { WordIndex } from '../words/word-index.ts'

/**
 * Finds the products that fit a vehicle and match the other words of a text. Empty: the text names no vehicle. `hasMatches`: products have all
 * words of the text, so a number without a make or a model is a year only if such a product fits a vehicle of that year.
 */
export type VehicleMatcher = (text: string, hasMatches?: boolean) => Uint32Array[]

export interface VehicleMatcherParts {
  database: DatabaseSync
  words: WordIndex
  columns: () => Columns
  vehicles: () => VehicleWords
}

export function createVehicleMatcher({ database, words, columns, vehicles }: VehicleMatcherParts): VehicleMatcher {
  const fits = prepareFits(database, words)

  function findFitting(reading: ParsedVehicleText, rest: readonly string[]): Uint32Array {
    if (reading.words.length === 0)
      return unite(reading.years.map((year) => words.findAll([...rest, toYearWord(year)])))
    const ofVehicle = words.findAll([...rest, ...reading.words])
    return reading.years.length === 0 || ofVehicle.length === 0 ? ofVehicle : intersect([ofVehicle, fits(reading)])
  }

  function matchReading(reading: ParsedVehicleText): Uint32Array[] {
    const rest = reading.rest.flatMap(toSearchWords)
    const fitting = findFitting(reading, rest)
    if (rest.length === 0) return [fitting]
    const universal = columns().allUniversal()
    return [fitting, intersect([words.findAll(rest, universal), universal])]
  }

  function matchText(text: string, reading: ParsedVehicleText, at: number, hasMatches: boolean): Uint32Array[] {
    const found = matchReading(reading)
    // A part for every vehicle says nothing: "super 2000" is an oil, and not the other oils of that name.
    if (reading.words.length === 0) return hasMatches && found[0]!.length === 0 ? [] : found
    if (reading.years.length > 0 || found[0]!.length > 0 || !reading.rest.some(mayBeYear)) return found
    const withShortYears = vehicles().parseAll(text, { hasShortYears: true })[at]!
    if (withShortYears.years.length === 0) return found
    // "14 Honda CR-V" is a year, unless only a part that fits every vehicle has the 14 as its size.
    const ofYears = matchReading(withShortYears)
    return ofYears[0]!.length > 0 || found.every(({ length }) => length === 0) ? ofYears : found
  }

  return (text, hasMatches = false) => {
    let likeliest: Uint32Array[] = []
    for (const [at, reading] of vehicles().parseAll(text).entries()) {
      const found = matchText(text, reading, at, hasMatches)
      // A part for every vehicle does not say which vehicle is meant.
      if (found[0]?.length) return found
      if (likeliest.every(({ length }) => length === 0) && found.length > 0) likeliest = found
    }
    return likeliest
  }
}

/** Returns a function that reads the products that fit a vehicle of the years of a text. */
export function prepareFits(database: DatabaseSync, words: WordIndex) {
  const statement = database.prepare(
    `SELECT vehicle_id AS id FROM vehicles
     WHERE year = :year AND (:make IS NULL OR make_key = :make) AND (:model IS NULL OR model_key = :model)`,
  )
  return ({ years, makeKey, modelKey }: ParsedVehicleText): Uint32Array => {
    if (makeKey === null && modelKey === null) return unite(years.map((year) => words.findAll([toYearWord(year)])))
    const ofYear = (year: number) =>
      statement.all({ year, make: makeKey, model: modelKey }) as unknown as { id: number }[]
    return unite(years.flatMap(ofYear).map(({ id }) => words.findAll([toVehicleWord(id)])))
  }
}
