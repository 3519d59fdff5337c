import type { DatabaseSync } from 'node:sqlite'
import { splitWords } from './tokenizer.ts'
import {
  findVehicleNames,
  type KnownVehicles,
  listVehicleChoices,
  mayBeModelYear,
  type VehicleChoice,
} from './vehicle-choices.ts'

/** The words of a search text that name a vehicle, and the rest of the words. */
export interface ParsedVehicleText extends VehicleChoice {
  /** The index words of the make and the model: `make:toyota`, `model:camry`. Empty: only years are named. */
  words: string[]
  years: number[]
  rest: string[]
  /** The indexes of the words that name the vehicle, among the words of the text. */
  indexes: number[]
}

export interface VehicleWords {
  /**
   * Returns `null` when no word names a make or a model, unless words stand beside years of vehicles: "brake pads 2014". `hasShortYears`: two
   * digits beside a name are a year, such as the 99 of "civic 99".
   */
  parse(text: string, options?: ParseOptions): ParsedVehicleText | null
  /** Returns all vehicles that a text may mean, the likeliest first: "2008" is a model and a year. */
  parseAll(text: string, options?: ParseOptions): ParsedVehicleText[]
  /** The keys of all makes and models. */
  readonly keys: readonly string[]
  /** Returns some of the index words of the makes and models that begin like that. */
  complete(beginnings: readonly string[]): string[]
}

interface ParseOptions {
  hasShortYears?: boolean
}

const MAX_COMPLETIONS = 8
const MAX_TEXT_WORDS = 16
const MAX_YEARS = 4
const LETTER = /\p{L}/u
const SHORT_YEAR = /^\d\d$/
const CENTURIES = [1_900, 2_000]

/** Returns true for two digits, which are the end of a year or a size. */
export const mayBeYear = (word: string): boolean => SHORT_YEAR.test(word)

export function readVehicleWords(database: DatabaseSync): VehicleWords {
  const column = <K extends string | number>(sql: string) =>
    new Set((database.prepare(sql).all() as { key: K }[]).map(({ key }) => key))
  const makes = column<string>('SELECT DISTINCT make_key AS key FROM vehicles')
  const models = column<string>('SELECT DISTINCT model_key AS key FROM vehicles')
  const years = column<number>('SELECT DISTINCT year AS key FROM vehicles')
  const known: KnownVehicles = { makes, models, hasModel: readModelsOfMakes(database) }
  const indexWords = [...[...makes].map((key) => `make:${key}`), ...[...models].map((key) => `model:${key}`)]
  const isBegun = (word: string, beginnings: readonly string[]) =>
    beginnings.some((beginning) => word.startsWith(beginning, word.indexOf(':') + 1))
  const hasYearsAlone = ({ years: read, rest }: ParsedVehicleText) =>
    read.length > 0 && read.every((year) => years.has(year)) && rest.some((word) => LETTER.test(word))
  function readShortYear(word: string, { years: read, rest }: ParsedVehicleText): void {
    const possible = mayBeYear(word) ? CENTURIES.map((century) => century + Number(word)) : []
    const existing = possible.filter((year) => years.has(year))
    if (existing.length > 0) read.push(...existing)
    else rest.push(word)
  }

  function parseAs({ makeKey, modelKey }: VehicleChoice, words: readonly string[], { hasShortYears }: ParseOptions) {
    const names = findVehicleNames(words, known)
    const isMeant = (key: string) => key === makeKey || key === modelKey
    const meant = [makeKey !== null && `make:${makeKey}`, modelKey !== null && `model:${modelKey}`]
    const named = meant.filter((word) => word !== false)
    const reading: ParsedVehicleText = { words: named, years: [], makeKey, modelKey, rest: [], indexes: [] }
    let isAfterName = false
    for (let at = 0; at < words.length; ) {
      const { length: restLength } = reading.rest
      const name = names.find((one) => one.at === at && isMeant(one.key))
      const isBesideName = isAfterName || names.some((one) => one.at === at + 1)
      if (name === undefined) {
        if (mayBeModelYear(words[at]!) && reading.years.length < MAX_YEARS) reading.years.push(Number(words[at]))
        else if (hasShortYears && reading.years.length === 0 && isBesideName) readShortYear(words[at]!, reading)
        else reading.rest.push(words[at]!)
      }
      isAfterName = name !== undefined
      const end = at + (name?.length ?? 1)
      for (; at < end; at += 1) if (reading.rest.length === restLength) reading.indexes.push(at)
    }
    return reading
  }

  function parseAll(text: string, options: ParseOptions = {}): ParsedVehicleText[] {
    const words = splitWords(text).slice(0, MAX_TEXT_WORDS)
    const readings = listVehicleChoices(findVehicleNames(words, known), known).map((one) =>
      parseAs(one, words, options),
    )
    return readings.filter((reading) => reading.words.length > 0 || hasYearsAlone(reading))
  }

  return {
    keys: [...makes, ...models],
    complete: (beginnings) => indexWords.filter((word) => isBegun(word, beginnings)).slice(0, MAX_COMPLETIONS),
    parse: (text, options) => parseAll(text, options)[0] ?? null,
    parseAll,
  }
}

/** Returns whether a make has a model of that name. */
function readModelsOfMakes(database: DatabaseSync): KnownVehicles['hasModel'] {
  const rows = database.prepare('SELECT DISTINCT make_key, model_key FROM vehicles').all() as {
    make_key: string
    model_key: string
  }[]
  const pairs = new Set(rows.map(({ make_key, model_key }) => `${make_key} ${model_key}`))
  return (makeKey, modelKey) => pairs.has(`${makeKey} ${modelKey}`)
}
