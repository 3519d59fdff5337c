import type { DatabaseSync } from 'node:sqlite'
import type { VehicleSuggestion } from './suggestion-types.ts'
import { completes, type TypedText, toNameWords } from './typed-text.ts'

/** Returns the makes, models or years that a text may become, at most `limit`. */
export type VehicleSuggester = (typed: TypedText, limit: number) => VehicleSuggestion[]

interface Row {
  make: string
  model: string
  make_key: string
  model_key: string
  year: number
  vehicle_id: number
  variants: number
}

interface Model {
  make: string
  model: string
  words: readonly string[]
  /** The newest first. */
  years: readonly Row[]
}

/** Vehicles of each model and year, the newest first. */
const SELECT = `SELECT make, model, make_key, model_key, year, min(vehicle_id) AS vehicle_id, count(*) AS variants
  FROM vehicles GROUP BY make_key, model_key, year ORDER BY make_key, model_key, year DESC`
const YEAR_BEGINNING = /^(?:19|20)\d{0,2}$/
const YEAR = /^(?:19|20)\d\d$/

export function readVehicleSuggester(database: DatabaseSync): VehicleSuggester {
  const rows = database.prepare(SELECT).all() as unknown as Row[]
  const makes = [...Map.groupBy(rows, ({ make_key }) => make_key).values()].map(([row]) => ({
    make: row!.make,
    words: toKeyWords(row!.make, row!.make_key),
  }))
  const models = [...Map.groupBy(rows, ({ make_key, model_key }) => `${make_key} ${model_key}`).values()].map(toModel)
  return (typed, limit) => {
    const { name, isYear } = splitYear(typed)
    if (name === null) return []
    const named = makes
      .filter(({ words }) => completes(words, name))
      .map(({ make }) => ({ year: null, make, model: null, label: make }))
    const matching = models.filter(({ words }) => completes(words, name))
    if (isYear) return takeYears(matching, isYear, limit)
    const known = matching.map(({ make, model }) => ({ year: null, make, model, label: `${make} ${model}` }))
    return [...named, ...known].slice(0, limit)
  }
}

function toModel(years: Row[]): Model {
  const { make, model, make_key, model_key } = years[0]!
  return { make, model, words: [...toKeyWords(make, make_key), ...toKeyWords(model, model_key)], years }
}

/** "CR-V" is found as "cr v" and as "crv". */
const toKeyWords = (name: string, key: string): string[] => [...toNameWords(name), key]

/** Takes the year out of a text, wherever it stands. The last word may be the beginning of one, after other words. */
function splitYear({ earlier, beginnings, earlierText }: TypedText) {
  const last = beginnings[0]!
  const withoutYears = earlier.filter((word) => !YEAR.test(word))
  const year = earlier.find((word) => YEAR.test(word))
  if (year !== undefined)
    return { name: { earlier: withoutYears, beginnings, earlierText }, isYear: (of: number) => of === Number(year) }
  if (earlier.length === 0 || !YEAR_BEGINNING.test(last))
    return { name: { earlier, beginnings, earlierText }, isYear: null }
  const name = { earlier: earlier.slice(0, -1), beginnings: [earlier.at(-1)!], earlierText }
  return { name, isYear: (of: number) => String(of).startsWith(last) }
}

function takeYears(models: readonly Model[], isYear: (year: number) => boolean, limit: number): VehicleSuggestion[] {
  const found: VehicleSuggestion[] = []
  for (const { make, model, years } of models)
    for (const { year, vehicle_id, variants } of years) {
      if (found.length >= limit) return found
      if (!isYear(year)) continue
      found.push({ ...(variants === 1 && { vehicle_id }), year, make, model, label: `${year} ${make} ${model}` })
    }
  return found
}
