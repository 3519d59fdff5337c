import { normalizeNumber } from '../../ports/reference.ts'
import {
  foldText,
  joinNeighbours,
  splitMixedWords,
  toCategoryWord,
  toNameWord,
  toSearchWords,
} from '../search/words.ts'
import type { MirrorRow } from './mirror-row.ts'

/** A number by which a product is found: normalized, and as it is written. `customer` is empty for everybody's numbers. */
export type NumberRow = [number: string, kind: string, brand: string, customer: string, written: string]

/** The keys of a vehicle's make and model. */
export interface VehicleKeys {
  make_key: string
  model_key: string
}

/** Returns all numbers of a product. */
export function collectNumbers({ product, references }: MirrorRow): NumberRow[] {
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
export function collectWords({ product, references }: MirrorRow, vehicles: readonly VehicleKeys[]): string {
  const categories = product.categories.map(({ name }) => name)
  const titles = [product.name, product.brand ?? '', ...categories]
  const names = [...titles, ...product.tags]
  const written = [product.sku, product.mpn ?? '', product.barcode ?? '']
  for (const { number, customer_id } of references) if (customer_id === null) written.push(number)
  const words = new Set([...names, ...written, product.description ?? ''].flatMap(toSearchWords))
  for (const name of names) for (const word of [...joinNeighbours(name), ...splitMixedWords(name)]) words.add(word)
  for (const word of titles.flatMap(toSearchWords)) words.add(toNameWord(word))
  for (const name of categories) words.add(toCategoryWord(toSearchWords(name)))
  for (const number of written) words.add(normalizeNumber(number).toLowerCase())
  for (const { make_key, model_key } of vehicles) words.add(`make:${make_key}`).add(`model:${model_key}`)
  return [...words].join(' ')
}

/** Makes and models are compared without spaces and punctuation: "CR-V" is "crv". */
export const toVehicleKey = (name: string): string => normalizeNumber(foldText(name)).toLowerCase()
