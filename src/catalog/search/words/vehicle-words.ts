import type { DatabaseSync } from 'node:sqlite'
import { splitWords } from './tokenizer.ts'

/** The words of a search text that name a vehicle, and the rest of the words. */
export interface ParsedVehicleText {
  /** The index words of the make and the model: `make:toyota`, `model:camry`. Empty: only years are named. */
  words: string[]
  years: number[]
  makeKey: string | null
  modelKey: string | null
  rest: string[]
  /** The indexes of the words that name the vehicle, among the words of the text. */
  indexes: number[]
}

export interface VehicleWords {
  /**
   * Returns `null` when no word names a make or a model, unless words stand beside years of vehicles: "brake pads 2014". `hasShortYears`: two
   * digits beside a name are a year, such as the 99 of "civic 99".
   */
  parse(text: string, options?: { hasShortYears?: boolean }): ParsedVehicleText | null
  /** The keys of all makes and models. */
  readonly keys: readonly string[]
  /** Returns some of the index words of the makes and models that begin like that. */
  complete(beginnings: readonly string[]): string[]
}

const MAX_COMPLETIONS = 8
const MAX_TEXT_WORDS = 16
const MAX_YEARS = 4
/** The maximum number of words of a make or a model: "3 Series Touring". */
const MAX_WORDS = 3
const YEAR = /^(?:19|20)\d\d$/
const LETTER = /\p{L}/u
const SHORT_YEAR = /^\d\d$/
const CENTURIES = [1_900, 2_000]

export const mayBeModelYear = (word: string): boolean => YEAR.test(word)

/** Returns true for two digits, which are the end of a year or a size. */
export const mayBeYear = (word: string): boolean => SHORT_YEAR.test(word)

export function readVehicleWords(database: DatabaseSync): VehicleWords {
  const column = <K extends string | number>(sql: string) =>
    new Set((database.prepare(sql).all() as { key: K }[]).map(({ key }) => key))
  const makes = column<string>('SELECT DISTINCT make_key AS key FROM vehicles')
  const models = column<string>('SELECT DISTINCT model_key AS key FROM vehicles')
  const years = column<number>('SELECT DISTINCT year AS key FROM vehicles')
  const isName = (key: string) => makes.has(key) || models.has(key)
  const indexWords = [...[...makes].map((key) => `make:${key}`), ...[...models].map((key) => `model:${key}`)]
  const isBegun = (word: string, beginnings: readonly string[]) =>
    beginnings.some((beginning) => word.startsWith(beginning, word.indexOf(':') + 1))
  const hasYearsAlone = ({ years: read, rest }: ParsedVehicleText) =>
    read.length > 0 && read.every((year) => years.has(year)) && rest.some((word) => LETTER.test(word))
  function readShortYear(word: string, { years: read, rest }: ParsedVehicleText): void {
    const possible = mayBeYear(word) ? CENTURIES.map((century) => century + Number(word)) : []
    const known = possible.filter((year) => years.has(year))
    if (known.length > 0) read.push(...known)
    else rest.push(word)
  }

  return {
    keys: [...makes, ...models],
    complete: (beginnings) => indexWords.filter((word) => isBegun(word, beginnings)).slice(0, MAX_COMPLETIONS),
    parse(text, { hasShortYears = false } = {}) {
      const words = splitWords(text).slice(0, MAX_TEXT_WORDS)
      let isAfterName = false
      const reading: ParsedVehicleText = { words: [], years: [], makeKey: null, modelKey: null, rest: [], indexes: [] }
      for (let at = 0; at < words.length; ) {
        const length = findName(words, at, isName)
        const key = words.slice(at, at + length).join('')
        const { length: restLength } = reading.rest
        if (length > 0 && reading.makeKey === null && makes.has(key)) reading.makeKey = key
        else if (length > 0 && reading.modelKey === null && models.has(key)) reading.modelKey = key
        else if (mayBeModelYear(words[at]!) && reading.years.length < MAX_YEARS) reading.years.push(Number(words[at]))
        else if (hasShortYears && reading.years.length === 0 && (isAfterName || findName(words, at + 1, isName) > 0))
          readShortYear(words[at]!, reading)
        else reading.rest.push(words[at]!)
        isAfterName = reading.makeKey === key || reading.modelKey === key
        const end = at + (isAfterName ? length : 1)
        for (; at < end; at += 1) if (reading.rest.length === restLength) reading.indexes.push(at)
      }
      if (reading.makeKey !== null) reading.words.push(`make:${reading.makeKey}`)
      if (reading.modelKey !== null) reading.words.push(`model:${reading.modelKey}`)
      return reading.words.length > 0 || hasYearsAlone(reading) ? reading : null
    },
  }
}

/** Returns the number of words from `at` that name a make or a model; the longest name counts. */
function findName(words: readonly string[], at: number, isName: (key: string) => boolean): number {
  for (let length = Math.min(MAX_WORDS, words.length - at); length > 0; length--)
    if (isName(words.slice(at, at + length).join(''))) return length
  return 0
}
