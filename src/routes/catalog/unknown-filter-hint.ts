import leven from 'leven'
import { foldText } from '../../catalog/search/words/tokenizer.ts'
import type { BackOffice } from '../../upstream/back-office.ts'
import type { RequestScope } from '../../upstream/request/request-scope.ts'
import type { ListQuery } from './list-parameters.ts'

interface UnknownFilterSearch {
  query: ListQuery
  backOffice: BackOffice
  requestScope: RequestScope
}

/** The value to send, and the texts that may be meant by it. */
interface KnownValue {
  value: string
  names: readonly string[]
}

/** Bounds the work for one value: longer texts are no misspelled names. */
const MAX_LENGTH = 64
const MAX_KNOWN = 2_000

/**
 * Returns a text for the header `Forecourt-Hint` about a list that is empty because no category, tag, brand or SKU has the value of a filter. It
 * names the value that was probably meant. Reads nothing but the mirror; `undefined`: without one, or if every value is known.
 */
export async function hintAtUnknownFilter(search: UnknownFilterSearch): Promise<string | undefined> {
  const { query, backOffice } = search
  if (backOffice.mirror.state !== 'ready') return undefined
  const first = (values: readonly string[] | undefined) => values?.find((value) => value.trim() !== '')
  const [category, tag, brand, sku] = [query.category, query.tag, query.brand, query.skus].map(first)
  return (
    (category && (await hintAtCategory(category, search))) ||
    (tag && (await hintAtTag(tag, search))) ||
    (brand && (await hintAtBrand(brand, search))) ||
    (sku && (await hintAtSku(sku, search))) ||
    undefined
  )
}

async function hintAtCategory(asked: string, { backOffice, requestScope }: UnknownFilterSearch) {
  const { value } = await backOffice.categories(requestScope)
  if (!value || value.some(({ category_id, slug }) => asked === category_id || asked === slug)) return null
  const known = value.map(({ category_id, slug, name }) => ({ value: slug, names: [slug, name, category_id] }))
  return describe('category', 'category_id or slug', asked, known, 'GET /v1/categories lists the categories.')
}

async function hintAtTag(asked: string, { backOffice, requestScope }: UnknownFilterSearch) {
  const { value } = await backOffice.tags(requestScope)
  if (!value || value.some(({ tag }) => asked === tag)) return null
  const known = value.map(({ tag, name }) => ({ value: tag, names: [tag, name] }))
  return describe('tag', 'tag', asked, known, 'GET /v1/tags lists the tags.')
}

async function hintAtBrand(asked: string, { backOffice, requestScope }: UnknownFilterSearch) {
  const { value } = await backOffice.mirror.search({ facets: ['brand'], limit: 1, offset: 0 }, requestScope)
  const brands = value?.facets.brand
  if (!brands || brands.some((one) => foldText(one.value) === foldText(asked))) return null
  const known = brands.map((one) => ({ value: one.value, names: [one.value] }))
  return describe('brand', 'brand', asked, known, 'GET /v1/products?facets=brand&limit=1 lists brands.')
}

async function hintAtSku(asked: string, { backOffice, requestScope }: UnknownFilterSearch) {
  const upper = asked.toUpperCase()
  const [own, inCapitals] = await backOffice.products([asked, upper], requestScope)
  if (own?.value) return null
  const known = inCapitals?.value ? [{ value: upper, names: [upper] }] : []
  return describe('skus', 'SKU', asked, known, 'The letter case of a SKU matters. GET /v1/products lists SKUs.')
}

/** Values are encoded as in a URL: then they can be copied, and are safe in a header. */
function describe(name: string, kind: string, asked: string, known: readonly KnownValue[], remedy: string): string {
  const similar = findSimilar(asked, known)
  const meant = similar === undefined ? '' : ` Did you mean ${name}=${encodeURIComponent(similar)}?`
  return `The value of ${name} is not the ${kind} of any product, so the list is empty.${meant} ${remedy}`
}

const fold = (text: string) => foldText(text).replace(/[^\p{L}\p{N}]/gu, '')

function findSimilar(asked: string, known: readonly KnownValue[]): string | undefined {
  if (asked.length > MAX_LENGTH) return undefined
  const text = fold(asked)
  const maxDistance = text.length < 4 ? 0 : text.length < 8 ? 1 : 2
  const distanceOf = ({ names }: KnownValue) =>
    Math.min(...names.map((name) => leven(text, fold(name), { maxDistance: maxDistance + 1 })))
  const near = known.slice(0, MAX_KNOWN).map((one) => ({ value: one.value, distance: distanceOf(one) }))
  const [best] = near.filter(({ distance }) => distance <= maxDistance).sort((a, b) => a.distance - b.distance)
  return best?.value
}
