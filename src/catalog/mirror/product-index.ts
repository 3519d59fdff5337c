import type { Product, ProductCategory } from '../../ports/inventory.ts'
import { normalizeNumber } from '../../ports/reference.ts'
import type { SharedValues } from '../search/shared-values.ts'
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
import { type PackedProduct, unpackOwnMembers } from './packed-product.ts'
import { vehiclesOfRuns } from './product-fitment.ts'
import { cacheWordLists, type WordList } from './word-lists.ts'

/** The kinds of a product's numbers. Files have the index of a kind. */
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
  /** Words that it shares with other products. */
  shared: readonly WordList[]
  /** Its other words. They may contain a word more than once, also one of `shared`. */
  words: readonly string[]
}

export const listWords = ({ shared, words }: ProductIndex): Set<string> =>
  new Set([...shared.flatMap((list) => list.words), ...words])

/** A normalized number. `customer` is empty for everybody's numbers. */
export type NumberKey = [number: string, customer: string, kind: number]

export const toStoredReferences = (references: MirrorRow['references']): StoredReference[] =>
  references.map(({ kind, brand, number, customer_id }) => [
    NUMBER_KINDS.indexOf(kind),
    brand ?? '',
    number,
    ...(customer_id === null ? [] : [customer_id]),
  ]) as StoredReference[]

/** Of a withdrawn product, a file keeps the numbers that replace it. */
export const listReplacements = (references: MirrorRow['references']): MirrorRow['references'] =>
  references.filter(({ kind }) => kind === 'SUPERSEDED_BY')

/** Creates a function that returns where a product is found, made of its columns in the file. */
export function createProductIndexer(shared: SharedValues) {
  const brands = cacheShared((brand: string | null) => (brand ? toTitleWords(brand) : []), shared)
  const categories = cacheShared((list: ProductCategory[]) => list.flatMap(({ name }) => toCategoryWords(name)), shared)
  const tags = cacheShared((list: string[]) => list.flatMap(toTagWords), shared)
  const names = cacheShared((list: string[]) => list, shared)
  const vehicleWords = cacheWordLists((id: number) => [toVehicleWord(id)])
  const titleWords = cacheWordLists(toTitleWord)
  const plainWords = cacheWordLists((word: string) => [toSingular(word)])

  return (columns: IndexedColumns): ProductIndex => {
    const references = JSON.parse(columns.numbers) as StoredReference[]
    if (columns.active !== 1) return { numbers: listWithdrawnNumbers(columns.sku, references), shared: [], words: [] }
    const product = unpackOwnMembers(columns, shared)
    const written = listWritten(product, references)
    const nameWords = splitWords(product.name)
    const lists = [brands(columns.brand), categories(columns.categories), tags(columns.tags)]
    for (const id of JSON.parse(columns.vehicle_names) as number[]) lists.push(names(id))
    for (const word of nameWords) lists.push(titleWords(word))
    if (product.description) for (const word of splitWords(product.description)) lists.push(plainWords(word))
    for (const id of vehiclesOfRuns(JSON.parse(columns.vehicles))) lists.push(vehicleWords(id))
    const words = [...joinWords(nameWords), ...written.flatMap(toNumberWords)]
    return { numbers: written.map(toNumberKey), shared: lists, words }
  }
}

const listWritten = (
  { sku, mpn, barcode }: Pick<Product, 'sku' | 'mpn' | 'barcode'>,
  references: readonly StoredReference[],
): StoredReference[] =>
  [[0, '', sku], [1, '', mpn ?? ''], [2, '', barcode ?? ''], ...references].filter(
    ([, , written]) => normalizeNumber(written as string) !== '',
  ) as StoredReference[]

const listWithdrawnNumbers = (sku: string, replacements: readonly StoredReference[]): NumberKey[] =>
  replacements.length === 0 ? [] : listWritten({ sku, mpn: null, barcode: null }, replacements).map(toNumberKey)

const toNumberKey = ([kind, , written, customer = '']: StoredReference): NumberKey => [
  normalizeNumber(written),
  customer,
  kind,
]

/** A customer's own numbers are no words: another customer must not find the product by them. */
function toNumberWords([, , written, customer]: StoredReference): string[] {
  if (customer !== undefined) return []
  const number = normalizeNumber(written)
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

const cacheShared = <T>(toWords: (value: T) => string[], shared: SharedValues) =>
  cacheWordLists((number: number) => toWords(shared<T>(number)))
