import type { DatabaseSync } from 'node:sqlite'
import type { Columns } from './columns.ts'
import { toIdMap } from './id-set.ts'
import type { ParsedVehicleText, VehicleWords } from './vehicle-words.ts'
import type { WordIndex } from './word-index.ts'
import { toSearchWords, toVehicleWord } from './words.ts'

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
  return (text) => {
    const reading = vehicles().parse(text)
    if (!reading) return []
    const rest = reading.rest.flatMap(toSearchWords)
    const ofVehicle = words.findAll([...rest, ...reading.words])
    const { universal, size } = columns()
    const fitting = reading.years.length === 0 ? ofVehicle : keep(ofVehicle, toIdMap(fits(reading), size))
    return rest.length === 0 ? [fitting] : [fitting, keep(words.findAll(rest), universal)]
  }
}

/** Returns a function that reads the products that fit a vehicle of the years of a text. */
export function prepareFits(database: DatabaseSync, words: WordIndex) {
  const statement = database.prepare(
    `SELECT vehicle_id AS id FROM vehicles
     WHERE year = :year AND (:make IS NULL OR make_key = :make) AND (:model IS NULL OR model_key = :model)`,
  )
  return function* ({ years, makeKey, modelKey }: ParsedVehicleText): Generator<number> {
    for (const year of years)
      for (const { id } of statement.all({ year, make: makeKey, model: modelKey }) as { id: number }[])
        yield* words.findAll([toVehicleWord(id)])
  }
}

const keep = (ids: Uint32Array, map: Uint8Array): Uint32Array => ids.filter((id) => map[id] === 1)
