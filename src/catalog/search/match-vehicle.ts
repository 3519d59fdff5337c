import type { DatabaseSync } from 'node:sqlite'
import type { Columns } from './columns.ts'
import { parseIds, toIdMap } from './id-set.ts'
import type { ParsedVehicleText, VehicleWords } from './vehicle-words.ts'
import type { WordIndex } from './word-index.ts'
import { toSearchWords } from './words.ts'

/** Finds the products that fit a vehicle and match the other words of a text. Empty: the text names no make or model. */
export type VehicleMatcher = (text: string) => Uint32Array[]

export interface VehicleMatcherParts {
  database: DatabaseSync
  words: WordIndex
  columns: () => Columns
  vehicles: () => VehicleWords
}

export function createVehicleMatcher({ database, words, columns, vehicles }: VehicleMatcherParts): VehicleMatcher {
  const fits = prepareFits(database)
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
export function prepareFits(database: DatabaseSync) {
  const statement = database.prepare(
    `SELECT count(*) AS count, group_concat(id) AS ids FROM fits WHERE vehicle_id IN (
       SELECT vehicle_id FROM vehicles WHERE year = :year AND (:make IS NULL OR make_key = :make) AND (:model IS NULL OR model_key = :model))`,
  )
  return ({ years, makeKey, modelKey }: ParsedVehicleText): number[] =>
    years.flatMap((year) => {
      const found = statement.get({ year, make: makeKey, model: modelKey }) as { count: number; ids: string | null }
      return [...parseIds(found.ids, found.count)]
    })
}

const keep = (ids: Uint32Array, map: Uint8Array): Uint32Array => ids.filter((id) => map[id] === 1)
