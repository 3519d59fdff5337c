/** The words of a text that name a make, a model or both. */
export interface VehicleName {
  /** The index of its first word. */
  at: number
  /** The number of words. */
  length: number
  key: string
}

/** The make and the model that a text may mean; `null`: it means none. */
export interface VehicleChoice {
  makeKey: string | null
  modelKey: string | null
}

/** The makes and models of a catalog, by their keys. */
export interface KnownVehicles {
  makes: ReadonlySet<string>
  models: ReadonlySet<string>
  hasModel(makeKey: string, modelKey: string): boolean
}

/** The maximum number of words of a make or a model: "3 Series Touring". */
const MAX_WORDS = 3
/** Bounds the work of a search. */
const MAX_CHOICES = 6
const NO_NAMES: VehicleChoice = { makeKey: null, modelKey: null }

const YEAR = /^(?:19|20)\d\d$/

export const mayBeModelYear = (word: string): boolean => YEAR.test(word)

/** Returns the names in a text. If several begin at the same word, the longest one counts. */
export function findVehicleNames(words: readonly string[], { makes, models }: KnownVehicles): VehicleName[] {
  const names: VehicleName[] = []
  for (let at = 0; at < words.length; ) {
    const lengths = Array.from({ length: Math.min(MAX_WORDS, words.length - at) }, (_, shorter) => shorter + 1)
    const toKey = (length: number) => words.slice(at, at + length).join('')
    const length = lengths.findLast((one) => makes.has(toKey(one)) || models.has(toKey(one)))
    if (length !== undefined) names.push({ at, length, key: toKey(length) })
    at += length ?? 1
  }
  return names
}

/**
 * Returns the makes and models that a text may mean, the likeliest first: a make with a model of its own, then a make or a model alone. The other
 * names are words: "leaf" in "leaf spring f-150", "seat" in "seat cover camry".
 */
export function listVehicleChoices(names: readonly VehicleName[], known: KnownVehicles): VehicleChoice[] {
  const keys = [...new Set(names.map(({ key }) => key))]
  const [makes, models] = [known.makes, known.models].map((all) => keys.filter((key) => all.has(key))) as [
    string[],
    string[],
  ]
  const isTwice = (key: string) => names.filter((name) => name.key === key).length > 1
  const pairs = makes.flatMap((makeKey) =>
    models
      .filter((modelKey) => modelKey !== makeKey || isTwice(modelKey))
      .map((modelKey): VehicleChoice => ({ makeKey, modelKey })),
  )
  const ofMake = pairs.filter(({ makeKey, modelKey }) => known.hasModel(makeKey!, modelKey!))
  const alone = [
    ...makes.map((makeKey): VehicleChoice => ({ makeKey, modelKey: null })),
    ...models.map((modelKey): VehicleChoice => ({ makeKey: null, modelKey })),
  ]
  // A product may fit vehicles of both.
  const likely = ofMake.length > 0 ? ofMake : [...alone, ...pairs.slice(0, 1)]
  // "2008" is a model, and a year where that finds nothing.
  return [...likely.slice(0, MAX_CHOICES), ...(keys.every(mayBeModelYear) ? [NO_NAMES] : [])]
}
