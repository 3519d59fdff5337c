import type { DatabaseSync } from 'node:sqlite'
import type { Columns } from './columns.ts'
import { parseIds, toIdMap } from './id-set.ts'
import type { Spelling } from './spelling.ts'
import type { VehicleReading, VehicleWords } from './vehicle-words.ts'
import type { WordIndex } from './word-index.ts'
import { joinNeighbours, normalizeNumber, toSearchWords } from './words.ts'

/** The products that a text finds. */
export interface TextMatch {
  ids: Uint32Array
  /** Products that are found by a number come first: 0 for the whole number, 1 for its beginning. */
  tiers: ReadonlyMap<number, number>
  /** The text that was searched instead, because nothing has the words as they were typed. */
  corrected: string | null
}

export interface TextMatchDeps {
  database: DatabaseSync
  words: WordIndex
  columns: () => Columns
  vehicles: () => VehicleWords
  spelling: () => Spelling
}

export type TextMatcher = (text: string, customerId: string | null) => TextMatch

const MAX_WORDS = 16
const MAX_BY_PREFIX = 1_000
const MIN_PREFIX = 3
/** Above this number of products, words written as one add nothing that a shopper would look for. */
const ENOUGH = 1_000

/** Finds products by numbers, then by words, then by the words of a vehicle, and by similar words when nothing else is found. */
export function createTextMatcher({ database, words, columns, vehicles, spelling }: TextMatchDeps): TextMatcher {
  const numbers = prepareNumbers(database)
  const fits = prepareFits(database)

  function matchVehicle(reading: VehicleReading | null): Uint32Array[] {
    if (!reading) return []
    const rest = reading.rest.flatMap(toSearchWords)
    const ofVehicle = words.findAll([...rest, ...reading.words])
    const { universal, size } = columns()
    const fitting = reading.years.length === 0 ? ofVehicle : keep(ofVehicle, toIdMap(fits(reading), size))
    return rest.length === 0 ? [fitting] : [fitting, keep(words.findAll(rest), universal)]
  }

  function matchWords(text: string): Uint32Array {
    const typed = [...new Set(toSearchWords(text))].slice(0, MAX_WORDS)
    if (typed.length === 0) return new Uint32Array()
    const found = [words.findAll(typed)]
    if (found[0]!.length < ENOUGH) found.push(...joinings(text).map(words.findAll))
    found.push(...matchVehicle(vehicles().read(text)))
    const ids = unite(found, columns().size)
    return ids.length > 0 ? ids : words.findBeginning(typed)
  }

  return (text, customerId) => {
    const tiers = numbers(normalizeNumber(text), customerId)
    const ids = unite([Uint32Array.from(tiers.keys()), matchWords(text)], columns().size)
    if (ids.length > 0) return { ids, tiers, corrected: null }
    const corrected = spelling().correct(text)
    return { ids: corrected === null ? ids : matchWords(corrected), tiers, corrected }
  }
}

/** Returns the words with each pair of neighbours written as one. */
function joinings(text: string): string[][] {
  const words = toSearchWords(text).slice(0, MAX_WORDS)
  return joinNeighbours(text)
    .slice(0, MAX_WORDS)
    .map((joined, at) => [...words.slice(0, at), joined, ...words.slice(at + 2)])
}

function prepareNumbers(database: DatabaseSync) {
  const own = `customer_id IN ('', ?)`
  const exact = database.prepare(`SELECT DISTINCT id FROM numbers WHERE number = ? AND ${own} LIMIT ${MAX_BY_PREFIX}`)
  const prefix = database.prepare(
    `SELECT DISTINCT id FROM numbers WHERE number > ? AND number < ? AND ${own} LIMIT ${MAX_BY_PREFIX}`,
  )
  return (number: string, customerId: string | null): Map<number, number> => {
    const tiers = new Map<number, number>()
    const add = (rows: unknown[], tier: number) => {
      for (const { id } of rows as { id: number }[]) if (!tiers.has(id)) tiers.set(id, tier)
    }
    if (number === '') return tiers
    add(exact.all(number, customerId ?? ''), 0)
    if (number.length >= MIN_PREFIX && /\d/.test(number))
      add(prefix.all(number, `${number}\u{10FFFF}`, customerId ?? ''), 1)
    return tiers
  }
}

function prepareFits(database: DatabaseSync) {
  const statement = database.prepare(
    `SELECT count(*) AS count, group_concat(id) AS ids FROM fits WHERE vehicle_id IN (
       SELECT vehicle_id FROM vehicles WHERE year = :year AND (:make IS NULL OR make_key = :make) AND (:model IS NULL OR model_key = :model))`,
  )
  return ({ years, makeKey, modelKey }: VehicleReading): number[] =>
    years.flatMap((year) => {
      const found = statement.get({ year, make: makeKey, model: modelKey }) as { count: number; ids: string | null }
      return [...parseIds(found.ids, found.count)]
    })
}

const keep = (ids: Uint32Array, map: Uint8Array): Uint32Array => ids.filter((id) => map[id] === 1)

/** Returns each id once. */
function unite(sets: readonly Uint32Array[], size: number): Uint32Array {
  const filled = sets.filter(({ length }) => length > 0)
  if (filled.length < 2) return filled[0] ?? new Uint32Array()
  const united = new Uint32Array(filled.reduce((sum, { length }) => sum + length, 0))
  const seen = new Uint8Array(size)
  let total = 0
  for (const ids of filled)
    for (const id of ids) {
      if (seen[id] === 1) continue
      seen[id] = 1
      united[total++] = id
    }
  return united.subarray(0, total)
}
