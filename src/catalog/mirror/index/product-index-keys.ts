import type { Product, ProductCategory } from '../../../ports/inventory.ts'
import { normalizeNumber } from '../../../ports/normalize-number.ts'
import type { SharedValues } from '../../search/columns/shared-values.ts'
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
} from '../../search/words/tokenizer.ts'
import type { MirrorRow } from '../file/mirror-row.ts'
import { type PackedProduct, unpackTexts } from '../file/packed-product.ts'
import { vehiclesOfRuns } from '../vehicles/product-fitment.ts'
import { cacheLists } from './cache-lists.ts'
import { createCachingTokenizer } from './caching-tokenizer.ts'

/** The kinds of a product's numbers. Files store the index of a kind. */
export const NUMBER_KINDS = [
  'SKU',
  'MPN',
  'BARCODE',
  'OEM',
  'CROSS',
  'SUPERSEDES',
  'SUPERSEDED_BY',
  'CUSTOMER',
] as const

/** A number by which a product is found, as it is written. `kind`: an index in {@link NUMBER_KINDS}. `customer`: absent on numbers for everybody. */
export type StoredReference = [kind: number, brand: string, written: string, customer?: string]

/** The columns of a product that it is found by. */
export interface IndexedColumns extends PackedProduct {
  /** JSON of a list of {@link StoredReference}. */
  numbers: string
  /** JSON of runs of vehicles; see mirror-file.ts. */
  vehicles: string
  /** JSON of a list of ids of shared values, which are words of makes, models and years. */
  vehicle_names: string
}

/** The columns from which a product's words and numbers are made. */
export const INDEX_INPUTS = [
  'sku',
  'active',
  'name',
  'brand',
  'categories',
  'tags',
  'product',
  'numbers',
  'vehicles',
  'vehicle_names',
] as const
export type IndexInputs = Pick<IndexedColumns, (typeof INDEX_INPUTS)[number]>

/** Where a product is found. `W`: a word, or its code. */
export interface ProductIndexKeys<W = string> {
  numbers: readonly NumberKey[]
  /** Lists of its words, most of which it shares with other products. A word may be in them more than once. */
  words: readonly (readonly W[])[]
}

export const listWords = ({ words }: ProductIndexKeys): Set<string> => new Set(words.flat())

/** A normalized number. `customer` is empty for everybody's numbers. */
export type NumberKey = [number: string, customer: string, kind: number]

export const toStoredReferences = (references: MirrorRow['references']): StoredReference[] =>
  references.map(({ kind, brand, number, customer_id }) => [
    NUMBER_KINDS.indexOf(kind),
    brand ?? '',
    number,
    ...(customer_id === null ? [] : [customer_id]),
  ]) as StoredReference[]

/** Returns the numbers of replacements, the only ones kept of a withdrawn product. */
export const listReplacements = (references: MirrorRow['references']): MirrorRow['references'] =>
  references.filter(({ kind }) => kind === 'SUPERSEDED_BY')

/**
 * Creates a function that returns where a product is found, computed from its columns in the file. `toWord` is called once for words that many
 * products share.
 */
export function createProductIndexer<W>(shared: SharedValues, toWord: (word: string) => W) {
  const toList = (words: readonly string[]) => words.map((word) => toWord(word))
  const cacheShared = <T>(toWords: (value: T) => string[]) => cacheLists((id: number) => toList(toWords(shared<T>(id))))
  const brands = cacheShared((brand: string | null) => (brand ? toTitleWords(brand) : []))
  const categories = cacheShared((list: ProductCategory[]) => list.flatMap(({ name }) => toCategoryWords(name)))
  const tags = cacheShared((list: string[]) => list.flatMap(toTagWords))
  const names = cacheShared((list: string[]) => list)
  const vehicleWords = cacheLists((id: number) => [toWord(toVehicleWord(id))])
  const readTitle = createCachingTokenizer((word) => toList(toTitleWord(word)))
  const readText = createCachingTokenizer((word) => [toWord(toSingular(word))])

  return (columns: IndexInputs): ProductIndexKeys<W> => {
    const references = JSON.parse(columns.numbers) as StoredReference[]
    if (columns.active !== 1) return { numbers: listWithdrawnNumbers(columns.sku, references), words: [] }
    const texts = unpackTexts(columns)
    const written = listWritten(texts, references)
    const title = readTitle(columns.name)
    const joined = joinWords(
      title.map(({ written }) => written),
      title.map(({ singular }) => singular),
    )
    const own = [...joined, ...written.flatMap(toNumberWords)]
    const lists = [brands(columns.brand), categories(columns.categories), tags(columns.tags), toList(own)]
    for (const id of JSON.parse(columns.vehicle_names) as number[]) lists.push(names(id))
    for (const { words } of title) lists.push(words)
    if (texts.description) for (const { words } of readText(texts.description)) lists.push(words)
    for (const id of vehiclesOfRuns(JSON.parse(columns.vehicles))) lists.push(vehicleWords(id))
    return { numbers: written.map(toNumberKey), words: lists }
  }
}

interface WrittenNumber {
  /** Normalized. */
  number: string
  written: string
  kind: number
  customer: string | undefined
}

const listWritten = (
  { sku, mpn, barcode }: Pick<Product, 'sku' | 'mpn' | 'barcode'>,
  references: readonly StoredReference[],
): WrittenNumber[] =>
  ([[0, '', sku], [1, '', mpn ?? ''], [2, '', barcode ?? ''], ...references] as StoredReference[])
    .map(([kind, , written, customer]) => ({ number: normalizeNumber(written), written, kind, customer }))
    .filter(({ number }) => number !== '')

const listWithdrawnNumbers = (sku: string, replacements: readonly StoredReference[]): NumberKey[] =>
  replacements.length === 0 ? [] : listWritten({ sku, mpn: null, barcode: null }, replacements).map(toNumberKey)

const toNumberKey = ({ number, customer = '', kind }: WrittenNumber): NumberKey => [number, customer, kind]

/** A customer's own numbers are no words: another customer must not find the product by them. */
function toNumberWords({ number, written, customer }: WrittenNumber): string[] {
  if (customer !== undefined) return []
  if (number === written && mayBeNumber(number)) return []
  const words = [...toSearchWords(written), number.toLowerCase()]
  return words.filter((word) => !(mayBeNumber(word) && normalizeNumber(word) === number))
}

const toTagWords = (text: string): string[] => {
  const words = splitWords(text)
  return [...words.map(toSingular), ...joinWords(words), ...words.flatMap(splitMixedWord)]
}

const toTitleWord = (word: string): string[] => [
  toSingular(word),
  toNameWord(toSingular(word)),
  ...splitMixedWord(word),
]

const toTitleWords = (text: string): string[] => [
  ...splitWords(text).flatMap(toTitleWord),
  ...joinWords(splitWords(text)),
]

const toCategoryWords = (name: string): string[] => [...toTitleWords(name), toCategoryWord(toSearchWords(name))]
