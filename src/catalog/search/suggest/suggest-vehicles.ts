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

  function suggest({ name, isYear }: VehicleReading, limit: number): VehicleSuggestion[] {
    const matching = models.filter(({ words }) => completes(words, name))
    if (isYear) return takeYears(matching, isYear, limit)
    const named = makes.filter(({ words }) => completes(words, name))
    return [
      ...named.map(({ make }) => ({ year: null, make, model: null, label: make })),
      ...matching.map(({ make, model }) => ({ year: null, make, model, label: `${make} ${model}` })),
    ]
  }

  return (typed, limit) => {
    const found = listReadings(typed).flatMap((reading) => suggest(reading, limit))
    const byLabel = new Map(found.map((suggestion) => [suggestion.label, suggestion]))
    return [...byLabel.values()].slice(0, limit)
  }
}

function toModel(years: Row[]): Model {
  const { make, model, make_key, model_key } = years[0]!
  return { make, model, words: [...toKeyWords(make, make_key), ...toKeyWords(model, model_key)], years }
}

/** "CR-V" is found as "cr v" and as "crv". */
const toKeyWords = (name: string, key: string): string[] => [...toNameWords(name), key]

/** A text as a name and a year. `isYear`: `null` without a year. */
interface VehicleReading {
  name: Pick<TypedText, 'earlier' | 'beginnings'>
  isYear: ((year: number) => boolean) | null
}

/**
 * Lists what a text may mean. A number may be a model, such as "206" and "2008", or a year, wherever it stands. The last word may be the beginning of
 * a year, after other words.
 */
function listReadings({ earlier, beginnings }: TypedText): VehicleReading[] {
  const last = beginnings[0]!
  const readings: VehicleReading[] = [{ name: { earlier, beginnings }, isYear: null }]
  const year = earlier.find((word) => YEAR.test(word))
  if (year !== undefined) {
    const name = { earlier: earlier.filter((word) => !YEAR.test(word)), beginnings }
    readings.push({ name, isYear: (of) => of === Number(year) })
  }
  if (earlier.length > 0 && YEAR_BEGINNING.test(last)) {
    const name = { earlier: earlier.slice(0, -1), beginnings: earlier.slice(-1) }
    readings.push({ name, isYear: (of) => String(of).startsWith(last) })
  }
  return readings
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
