import { setImmediate as nextTurn } from 'node:timers/promises'
import leven from 'leven'
import type { SearchRequest } from '../../catalog/search/search-request.ts'
import { foldText } from '../../catalog/search/words/tokenizer.ts'
import type { ApiResponse } from '../../http/route.ts'
import type { BackOffice } from '../../upstream/back-office.ts'
import type { RequestScope } from '../../upstream/request/request-scope.ts'
import { isValidSku, isValidVehicleId } from '../valid-upstream-ids.ts'
import type { ListQuery } from './list-parameters.ts'
import { findFitmentsForVehicle } from './read-fitments-for-vehicle.ts'

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
/** The maximum number of known values that are compared in a turn of the event loop: a few milliseconds. */
const MAX_IN_TURN = 500
/** Some write the values of a filter with commas instead of repeating it. */
const MAX_VALUES = 4

/**
 * Adds a text for the header `Forecourt-Hint` to a list that is empty because no category, tag, brand or SKU has a value of a filter. It names the
 * value that was probably meant. Reads nothing but the mirror: without one, no list has this hint.
 */
export async function withUnknownFilterHint(response: ApiResponse, search: UnknownFilterSearch): Promise<ApiResponse> {
  return findsNone(response) ? { ...response, hint: await hintAtUnknownFilter(search) } : response
}

/** A list that is joined as a text begins with its rows. */
const findsNone = ({ body, errors }: ApiResponse): boolean =>
  errors.length === 0 && (typeof body === 'string' ? body.startsWith('{"data":[]') : isEmptyList(body))

const isEmptyList = (body: object): boolean => 'data' in body && Array.isArray(body.data) && body.data.length === 0

async function hintAtUnknownFilter(search: UnknownFilterSearch): Promise<string | undefined> {
  const { query, backOffice } = search
  if (backOffice.mirror.state !== 'ready') return undefined
  const hints = [
    [query.category, hintAtCategory],
    [query.tag, hintAtTag],
    [query.brand, hintAtBrand],
    [query.skus, hintAtSku],
  ] as const
  for (const [given, hintAt] of hints) {
    const values = (given ?? []).filter((value) => value.trim() !== '')
    const hint = values.length > 0 && (await hintAt(values, search))
    if (hint) return hint
  }
  return query.vehicle_id === undefined ? undefined : hintAtVehicle(query.vehicle_id, search)
}

async function hintAtCategory(values: readonly string[], { backOffice, requestScope }: UnknownFilterSearch) {
  if (!backOffice.mirror.hasPartsOf({ category: values })) return null
  const { value } = await backOffice.categories(requestScope)
  if (!value || value.some(({ category_id, slug }) => values.includes(category_id) || values.includes(slug)))
    return null
  const known = value
    .slice(0, MAX_KNOWN)
    .map(({ category_id, slug, name }) => ({ value: slug, names: [slug, name, category_id] }))
  return describe('category', 'category_id or slug', values, known, 'GET /v1/categories lists the categories.')
}

async function hintAtTag(values: readonly string[], search: UnknownFilterSearch) {
  const known = await listIfUnknown('tag', { tags: values }, search)
  return known && describe('tag', 'tag', values, known, 'GET /v1/tags lists the tags.')
}

async function hintAtBrand(values: readonly string[], search: UnknownFilterSearch) {
  const known = await listIfUnknown('brand', { brands: values }, search)
  return known && describe('brand', 'brand', values, known, 'GET /v1/products?facets=brand&limit=1 lists brands.')
}

/** Lists the values with the most products; `null`: a product has a value of the filter, which may not be among these. */
async function listIfUnknown(
  facet: 'tag' | 'brand',
  filter: Pick<SearchRequest, 'tags' | 'brands'>,
  { backOffice, requestScope }: UnknownFilterSearch,
): Promise<KnownValue[] | null> {
  const request = { ...filter, facets: [facet], limit: 1, offset: 0 }
  const { value } = await backOffice.mirror.search(request, requestScope, { usesInventory: false })
  if (value?.total !== 0) return null
  return (value.facets[facet] ?? []).map((one) => ({ value: one.value, names: [one.value] }))
}

async function hintAtVehicle(asked: number, { backOffice, requestScope }: UnknownFilterSearch) {
  const isKnown =
    isValidVehicleId(asked) && (await findFitmentsForVehicle(asked, { skus: [], backOffice, requestScope })).value
  if (isKnown !== false && isKnown !== null) return undefined
  return 'No vehicle has the value of vehicle_id, so the list is empty. Send a vehicle_id from GET /v1/vehicles/models.'
}

async function hintAtSku(values: readonly string[], { backOffice, requestScope }: UnknownFilterSearch) {
  const upper = values[0]!.toUpperCase()
  const found = await backOffice.products([upper, ...values].filter(isValidSku), requestScope)
  const [inCapitals, ...own] = isValidSku(upper) ? found : [null, ...found]
  if (own.some((one) => one?.value || one?.error)) return null
  const known = inCapitals?.value ? [{ value: upper, names: [upper] }] : []
  return describe('skus', 'SKU', values, known, 'The letter case of a SKU matters. GET /v1/products lists SKUs.')
}

/** Values are encoded as in a URL: then they can be copied, and are safe in a header. */
async function describe(
  name: string,
  kind: string,
  values: readonly string[],
  known: readonly KnownValue[],
  remedy: string,
): Promise<string> {
  const named: string[] = []
  for (const one of values[0]!.split(',', MAX_VALUES)) {
    const similar = await findSimilar(one, known)
    if (similar !== undefined) named.push(`${name}=${encodeURIComponent(similar)}`)
  }
  const meant = named.length > 0 ? ` Did you mean ${named.join('&')}?` : ''
  const unknown = values.length === 1 ? `The value of ${name} is not the` : `No value of ${name} is the`
  return `${unknown} ${kind} of any product, so the list is empty.${meant} ${remedy}`
}

const fold = (text: string) => foldText(text).replace(/[^\p{L}\p{N}]/gu, '')

async function findSimilar(asked: string, known: readonly KnownValue[]): Promise<string | undefined> {
  const text = fold(asked)
  if (asked.length > MAX_LENGTH || text === '') return undefined
  const maxDistance = findMaxDistance(text)
  let best: string | undefined
  let bestDistance = maxDistance + 1
  for (const [at, { value, names }] of known.slice(0, MAX_KNOWN).entries()) {
    if (at > 0 && at % MAX_IN_TURN === 0) await nextTurn()
    // A back office may have cut a text in the middle of a surrogate pair, which a URL cannot contain.
    if (!value.isWellFormed()) continue
    const distance = Math.min(...names.map((name) => leven(text, fold(name), { maxDistance: maxDistance + 1 })))
    if (distance < bestDistance) [best, bestDistance] = [value, distance]
  }
  return best
}

/** A number with another digit is another number. */
function findMaxDistance(text: string): number {
  if (text.length < 4 || /^\d+$/.test(text)) return 0
  return text.length < 8 ? 1 : 2
}
