import type { DatabaseSync } from 'node:sqlite'
import type { Columns } from '../columns/product-columns.ts'
import { intersect, unite } from '../id-set.ts'
import { toSearchWords, toVehicleWord } from '../words/tokenizer.ts'
import { mayBeYear, type ParsedVehicleText, type VehicleWords } from '../words/vehicle-words.ts'
import type { WordIndex } from '../words/word-index.ts'

/** Finds the products that fit a vehicle and match the other words of a text. Empty: the text names no make or model. */
export type VehicleMatcher = (text: string) => Uint32Array[]

export interface VehicleMatcherParts {
  database: DatabaseSync
  words: WordIndex
  columns: () => Columns
  vehicles: () => VehicleWords
}

export function createVehicleMatcher({ database, words, columns, vehicles }: VehicleMatcherParts): VehicleMatcher {
  const fits = prepareFits(database, words)

  function matchReading(reading: ParsedVehicleText): Uint32Array[] {
    const rest = reading.rest.flatMap(toSearchWords)
    const ofVehicle = words.findAll([...rest, ...reading.words])
    const fitting = reading.years.length === 0 ? ofVehicle : intersect([ofVehicle, fits(reading)])
    return rest.length === 0 ? [fitting] : [fitting, intersect([words.findAll(rest), columns().allUniversal()])]
  }

  return (text) => {
    const reading = vehicles().parse(text)
    if (!reading) return []
    const found = matchReading(reading)
    if (reading.years.length > 0 || found[0]!.length > 0 || !reading.rest.some(mayBeYear)) return found
    const withShortYears = vehicles().parse(text, { hasShortYears: true })!
    if (withShortYears.years.length === 0) return found
    // "14 Honda CR-V" is a year, unless only a part that fits every vehicle has the 14 as its size.
    const ofYears = matchReading(withShortYears)
    return ofYears[0]!.length > 0 || found.every(({ length }) => length === 0) ? ofYears : found
  }
}

/** Returns a function that reads the products that fit a vehicle of the years of a text. */
export function prepareFits(database: DatabaseSync, words: WordIndex) {
  const statement = database.prepare(
    `SELECT vehicle_id AS id FROM vehicles
     WHERE year = :year AND (:make IS NULL OR make_key = :make) AND (:model IS NULL OR model_key = :model)`,
  )
  return ({ years, makeKey, modelKey }: ParsedVehicleText): Uint32Array => {
    const ofYear = (year: number) =>
      statement.all({ year, make: makeKey, model: modelKey }) as unknown as { id: number }[]
    return unite(years.flatMap(ofYear).map(({ id }) => words.findAll([toVehicleWord(id)])))
  }
}
