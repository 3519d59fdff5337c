import { LRUCache } from 'lru-cache'
import { normalizeNumber } from '../../ports/reference.ts'
import {
  foldText,
  joinWords,
  splitMixedWord,
  splitWords,
  toCategoryWord,
  toNameWord,
  toSearchWords,
  toSingular,
} from '../search/words.ts'
import type { MirrorRow } from './mirror-row.ts'

/** A number by which a product is found: normalized, and as it is written. `customer` is empty for everybody's numbers. */
export type NumberRow = [number: string, kind: string, brand: string, customer: string, written: string]

/** The keys of a vehicle's make and model. */
export interface VehicleKeys {
  make_key: string
  model_key: string
}

/** Returns all numbers of a product. A withdrawn one is known by its SKU alone, and only if another product replaces it. */
export function collectNumbers(row: MirrorRow): NumberRow[] {
  const numbers = listNumbers(row)
  if (row.product.active) return numbers
  const isReplaced = numbers.some(([, kind]) => kind === 'SUPERSEDED_BY')
  return isReplaced ? numbers.filter(([, kind]) => kind === 'SKU' || kind === 'SUPERSEDED_BY') : []
}

function listNumbers({ product, references }: MirrorRow): NumberRow[] {
  const own: [kind: string, brand: string | null, number: string | null, customer: string | null][] = [
    ['SKU', null, product.sku, null],
    ['MPN', product.brand, product.mpn, null],
    ['BARCODE', null, product.barcode, null],
    ...references.map(({ kind, brand, number, customer_id }) => [kind, brand, number, customer_id] as (typeof own)[0]),
  ]
  return own.flatMap(([kind, brand, written, customer]) => {
    const number = normalizeNumber(written ?? '')
    return number === '' ? [] : [[number, kind, brand ?? '', customer ?? '', written!]]
  })
}

/**
 * Returns the words of a product, with the joined neighbours and the parts of mixed words of its names, and the makes and models of its
 * vehicles. A customer's own numbers are not among them: another customer must not find the product by them.
 */
export function collectWords(
  { product }: MirrorRow,
  numbers: readonly NumberRow[],
  vehicles: readonly VehicleKeys[],
): string {
  const words = new Set<string>()
  const add = (list: readonly string[]) => {
    for (const word of list) words.add(word)
  }
  add(toTitleWords(product.name))
  if (product.brand) add(titles.get(product.brand))
  for (const { name } of product.categories) add(categories.get(name))
  for (const tag of product.tags) add(tags.get(tag))
  for (const [number, , , customer, written] of numbers)
    if (customer === '') {
      add(toSearchWords(written))
      words.add(number.toLowerCase())
    }
  if (product.description) add(toSearchWords(product.description))
  for (const { make_key, model_key } of vehicles) words.add(`make:${make_key}`).add(`model:${model_key}`)
  return [...words].join(' ')
}

const toTagWords = (text: string): string[] => {
  const words = splitWords(text)
  return [...words.map(toSingular), ...joinWords(words), ...words.flatMap(splitMixedWord)]
}

const toTitleWords = (text: string): string[] => {
  const words = splitWords(text)
  const singulars = words.map(toSingular)
  return [...singulars, ...singulars.map(toNameWord), ...joinWords(words), ...words.flatMap(splitMixedWord)]
}

const toCategoryWords = (name: string): string[] => [...toTitleWords(name), toCategoryWord(toSearchWords(name))]

/** Many products share their brand, categories and tags. */
const titles = cacheWords(toTitleWords)
const categories = cacheWords(toCategoryWords)
const tags = cacheWords(toTagWords)

function cacheWords(toWords: (text: string) => string[]) {
  const cache = new LRUCache<string, string[]>({ max: 5_000 })
  return {
    get(text: string): string[] {
      const words = cache.get(text) ?? toWords(text)
      cache.set(text, words)
      return words
    },
  }
}

/** Makes and models are compared without spaces and punctuation: "CR-V" is "crv". */
export const toVehicleKey = (name: string): string => normalizeNumber(foldText(name)).toLowerCase()
