import type { AvailabilityBand } from '../../availability-bands.ts'
import { listIds } from '../id-set.ts'
import { foldText } from '../words/tokenizer.ts'
import { groupByValue, type ProductsByValue } from './products-by-value.ts'
import type { SharedValues } from './shared-values.ts'
import { createValueDictionary, type ValueDictionary } from './value-dictionary.ts'

export const BANDS: readonly AvailabilityBand[] = ['IN_STOCK', 'LOW', 'LEAD_TIME', 'OUT']
/** The band of a product whose stock is unknown. */
export const NO_BAND = BANDS.length

/** The columns that searches filter, count and sort by, in memory. Each has one element per product, by its id. Element 0 is unused. */
export interface Columns {
  /** All ids are lower. */
  readonly size: number
  /** 0: withdrawn, or no product. */
  readonly active: Uint8Array
  /** The index in {@link BANDS}, or `NO_BAND`. */
  readonly band: Uint8Array
  /** NaN: no list price. */
  readonly price: Float64Array
  /** The index in `PRICE_BUCKETS`, or `NO_PRICE`. */
  readonly priceStep: Uint8Array
  /** A code of `brands`. */
  readonly brand: Uint32Array
  /** A code of `categoryLists`: most products share their list with others. */
  readonly categories: Uint32Array
  /** A code of `tagLists`. */
  readonly tags: Uint32Array
  /** Higher comes first. */
  readonly rank: Uint32Array
  readonly universal: Uint8Array
  readonly brands: ValueDictionary<string | null>
  /** Ids, each once. */
  readonly categoryLists: ValueDictionary<readonly string[]>
  readonly tagLists: ValueDictionary<readonly string[]>
  /** Returns the ids of all active products. Callers must not change the array. */
  allActive(): Uint32Array
  /** Returns the ids of all withdrawn products. */
  allWithdrawn(): Uint32Array
  /** Returns the ids of all products that fit every vehicle. */
  allUniversal(): Uint32Array
  /** Returns the active products of each value of a column. */
  byValue(facet: ValueFacet): ProductsByValue
}

/** The facets whose columns have codes of values. */
export type ValueFacet = 'brand' | 'category' | 'tag'

/** Creates the columns of an empty catalog. */
export const createColumns = (shared: SharedValues): Columns => ({
  ...allocate(0),
  ...createDictionaries(shared),
  ...NO_LISTS,
})

function createDictionaries(shared: SharedValues) {
  const toCategoryIds = (categories: readonly { category_id: string }[]) =>
    categories.map(({ category_id }) => category_id)
  return {
    brands: createValueDictionary(
      (id) => shared<string | null>(id),
      (brand) => (brand === null ? [] : [foldText(brand)]),
    ),
    categoryLists: createValueDictionary((id) => [...new Set(toCategoryIds(shared(id)))], keep),
    tagLists: createValueDictionary((id) => [...new Set(shared<string[]>(id))], keep),
  }
}

/** A list is found by its members. */
const keep = (members: readonly string[]) => members

const NO_IDS = () => new Uint32Array()
const NO_LISTS = {
  allActive: NO_IDS,
  allWithdrawn: NO_IDS,
  allUniversal: NO_IDS,
  byValue: () => groupByValue(NO_IDS(), NO_IDS(), 0),
}

/** Returns the columns with lists of the products whose ids are lower than `size`. Each list is made when it is used first. */
export function withLists(columns: Columns, size: number): Columns {
  const { active, universal } = columns
  const list = (flags: Uint8Array, value: number) => {
    let ids: Uint32Array | undefined
    return () => {
      ids ??= listIds(flags.subarray(0, size), value)
      return ids
    }
  }
  const allActive = list(active, 1)
  const sources = {
    brand: [columns.brand, columns.brands],
    category: [columns.categories, columns.categoryLists],
    tag: [columns.tags, columns.tagLists],
  } as const
  const groups = new Map<ValueFacet, ProductsByValue>()
  return {
    ...columns,
    size,
    allActive,
    allWithdrawn: list(active, 0),
    allUniversal: list(universal, 1),
    byValue(facet: ValueFacet) {
      const [column, { values }] = sources[facet]
      const known = groups.get(facet) ?? groupByValue(column, allActive(), values.length)
      groups.set(facet, known)
      return known
    },
  }
}

type Arrays = Omit<Columns, 'brands' | 'categoryLists' | 'tagLists' | keyof typeof NO_LISTS>

const allocate = (capacity: number): Arrays => ({
  size: 0,
  active: new Uint8Array(capacity),
  band: new Uint8Array(capacity),
  price: new Float64Array(capacity),
  priceStep: new Uint8Array(capacity),
  brand: new Uint32Array(capacity),
  categories: new Uint32Array(capacity),
  tags: new Uint32Array(capacity),
  rank: new Uint32Array(capacity),
  universal: new Uint8Array(capacity),
})

/** Returns the columns with room for more products. */
export function growColumns(columns: Columns, capacity: number): Columns {
  const grown = { ...allocate(capacity), size: columns.size }
  for (const name of [
    'active',
    'band',
    'price',
    'priceStep',
    'brand',
    'categories',
    'tags',
    'rank',
    'universal',
  ] as const)
    grown[name].set(columns[name])
  return { ...columns, ...grown }
}
