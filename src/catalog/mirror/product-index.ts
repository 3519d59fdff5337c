import { LRUCache } from 'lru-cache'
import type { Product, ProductCategory } from '../../ports/inventory.ts'
import { normalizeNumber } from '../../ports/reference.ts'
import {
  joinWords,
  mayBeNumber,
  splitMixedWord,
  splitWords,
  toCategoryWord,
  toNameWord,
  toSearchWords,
  toSingular,
  toVehicleWord,
} from '../search/words.ts'
import type { MirrorRow } from './mirror-row.ts'
import { type PackedProduct, unpackProduct } from './packed-product.ts'
import { vehiclesOfRuns } from './product-fitment.ts'
import type { SharedValues } from './shared-values.ts'

/** The kinds of a product's numbers. Files have the index of a kind. */
export const NUMBER_KINDS = ['SKU', 'MPN', 'BARCODE', 'OEM', 'CROSS', 'SUPERSEDES', 'SUPERSEDED_BY', 'CUSTOMER'] as const

/** A number by which a product is found, as it is written. `kind`: an index in {@link NUMBER_KINDS}. `customer`: absent on everybody's. */
export type StoredReference = [kind: number, brand: string, written: string, customer?: string]

/** The columns of a product that it is found by. */
export interface IndexedColumns extends PackedProduct {
  /** JSON of a list of {@link StoredReference}. */
  numbers: string
  /** JSON of runs of vehicles; see mirror-file.ts. */
  vehicles: string
  /** JSON of a list of numbers of shared values, which are words of makes and models. */
  vehicle_names: string
}

/** Where a product is found. */
export interface ProductIndex {
  numbers: NumberKey[]
  /** May contain a word more than once. */
  words: string[]
}

/** A normalized number. `customer` is empty for everybody's numbers. */
export type NumberKey = [number: string, customer: string, kind: number]

export const toStoredReferences = (references: MirrorRow['references']): StoredReference[] =>
  references.map(({ kind, brand, number, customer_id }) => [
    NUMBER_KINDS.indexOf(kind),
    brand ?? '',
    number,
    ...(customer_id === null ? [] : [customer_id]),
  ]) as StoredReference[]

/** Creates a function that returns where a product is found, made of its columns in the file. */
export function createProductIndexer(shared: SharedValues) {
  /** Many products share their brand, categories and tags. */
  const brands = cacheWords((brand: string | null) => (brand ? toTitleWords(brand) : []), shared)
  const categories = cacheWords((list: ProductCategory[]) => list.flatMap(({ name }) => toCategoryWords(name)), shared)
  const tags = cacheWords((list: string[]) => list.flatMap(toTagWords), shared)
  const names = cacheWords((list: string[]) => list, shared)

  return (columns: IndexedColumns): ProductIndex => {
    if (columns.active !== 1) return { numbers: [], words: [] }
    const { product } = unpackProduct(columns, shared)
    const references = JSON.parse(columns.numbers) as StoredReference[]
    const written = listWritten(product, references)
    const words = [...toTitleWords(product.name), ...brands(columns.brand), ...categories(columns.categories)]
    words.push(...tags(columns.tags), ...written.flatMap(toNumberWords))
    if (product.description) words.push(...toSearchWords(product.description))
    for (const id of JSON.parse(columns.vehicle_names) as number[]) words.push(...names(id))
    for (const id of vehiclesOfRuns(JSON.parse(columns.vehicles))) words.push(toVehicleWord(id))
    return { numbers: written.map(toNumberKey), words }
  }
}

const listWritten = (
  { sku, mpn, barcode }: Pick<Product, 'sku' | 'mpn' | 'barcode'>,
  references: readonly StoredReference[],
): StoredReference[] =>
  [[0, '', sku], [1, '', mpn ?? ''], [2, '', barcode ?? ''], ...references].filter(
    ([, , written]) => normalizeNumber(written as string) !== '',
  ) as StoredReference[]

const toNumberKey = ([kind, , written, customer = '']: StoredReference): NumberKey => [
  normalizeNumber(written),
  customer,
  kind,
]

/** A customer's own numbers are no words: another customer must not find the product by them. */
function toNumberWords([, , written, customer]: StoredReference): string[] {
  if (customer !== undefined) return []
  const number = normalizeNumber(written)
  const words = [...toSearchWords(written), number.toLowerCase()]
  return words.filter((word) => !(mayBeNumber(word) && normalizeNumber(word) === number))
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

/** Caches the words of shared values. */
function cacheWords<T>(toWords: (value: T) => string[], shared: SharedValues) {
  const cache = new LRUCache<number, string[]>({ max: 20_000 })
  return (number: number): string[] => {
    const words = cache.get(number) ?? toWords(shared<T>(number))
    cache.set(number, words)
    return words
  }
}
