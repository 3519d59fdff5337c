import { Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { Call } from '../../../src/ports/call.ts'
import type { InventoryPort, ItemPage, ItemParts, ProductQuery, SkuListener } from '../../../src/ports/inventory.ts'
import { createChangeListCache } from '../../change-list-cache.ts'
import { OdooDatetime, OdooId, OdooText, toEpochMs, toFirstOdooSecond } from '../client/odoo-values.ts'
import { readAll } from '../client/read-all.ts'
import { foundShape } from '../client/rpc.ts'
import type { OdooContext } from '../context.ts'
import { createDuplicateSkuReader } from './duplicate-sku-reader.ts'
import type { ItemReader } from './item-reader.ts'
import { ALL_RECORDS } from './item-specification.ts'
import { toProductName } from './product-mapping.ts'
import { toSearchDomain } from './search-domain.ts'
import { foldText, splitWords } from './search-words.ts'

const Stamps = foundShape(Type.Object({ id: OdooId, default_code: Type.String(), write_date: OdooDatetime }))
const Texts = foundShape(
  Type.Object({
    id: OdooId,
    default_code: Type.String(),
    name: Type.String(),
    barcode: OdooText,
    description_sale: OdooText,
    product_template_variant_value_ids: Type.Array(Type.Object({ id: OdooId, name: Type.String() })),
  }),
)
const textSpecification = {
  default_code: {},
  name: {},
  barcode: {},
  description_sale: {},
  product_template_variant_value_ids: { fields: { name: {} } },
}

/** A query whose words have more candidates fails with `overloaded`. */
const MAX_CANDIDATES = 20_000
const EMPTY_PAGE: ItemPage = { items: [], total: 0, has_more: false }
const FIRST_PAGE_AGE_MS = 5_000

/** Returns the search of the inventory port: products on sale, or the products that changed since a time. */
export function createProductSearch(context: OdooContext, items: ItemReader, nowMs: () => number) {
  const { rpc } = context
  const readDuplicates = createDuplicateSkuReader(rpc, context.companyDomain, nowMs)
  const loadChangedSkus = createChangeListCache<string>(nowMs, FIRST_PAGE_AGE_MS)

  /** Reads a page of what is on sale. Records that share a SKU with an older one are left out. */
  async function searchPage(
    domain: unknown[],
    query: ProductQuery,
    parts: ItemParts,
    call: Call,
    onSkus?: SkuListener,
  ) {
    const duplicates = await readDuplicates(call)
    // A listener reads the prices of the page next.
    const isPriced = onSkus !== undefined && context.isPricing
    const { length, records } = await items.searchRows(
      {
        domain: [...domain, ...(duplicates.otherIds.length > 0 ? [['id', 'not in', duplicates.otherIds]] : [])],
        order: 'default_code, id',
        offset: query.offset,
        limit: query.limit,
      },
      { ...parts, price: isPriced },
      call,
    )
    if (isPriced) context.skuRows.offer(records, call)
    onSkus?.(records.map((row) => row.default_code))
    return {
      items: await items.toItems(records, parts, call, duplicates.changedAt),
      total: length,
      has_more: query.offset + records.length < length,
    }
  }

  /** Reads the SKUs whose text contains all words: Odoo finds candidates, because it compares accents. */
  async function readMatchingSkus(domain: unknown[], words: readonly string[], call: Call): Promise<string[]> {
    const search = { domain, specification: textSpecification, order: 'id', limit: MAX_CANDIDATES + 1 }
    const { records } = await rpc.search(Texts, 'product.product', search, call)
    if (records.length > MAX_CANDIDATES) throw new UpstreamError('overloaded', 'too many products match these words')
    return records.flatMap((row) => {
      const parts = [row.default_code, toProductName(row), row.barcode || '', row.description_sale || '']
      const text = foldText(parts.join(' '))
      return words.every((word) => text.includes(word)) ? [row.default_code] : []
    })
  }

  async function searchOnSale(query: ProductQuery, parts: ItemParts, call: Call, onSkus?: SkuListener) {
    const filters = toSearchDomain(query, await context.readCatalogTables(call))
    if (filters === null || query.skus?.length === 0) return EMPTY_PAGE
    const domain = [...context.onSaleDomain, ...filters]
    const words = splitWords(query.q)
    if (words.length === 0) return searchPage(domain, query, parts, call, onSkus)
    const skus = await readMatchingSkus(domain, words, call)
    if (skus.length === 0) return EMPTY_PAGE
    return searchPage([...context.onSaleDomain, ['default_code', 'in', skus]], query, parts, call, onSkus)
  }

  const readFiltered = (since: number, filters: unknown[], call: Call) =>
    readAll(
      rpc,
      Stamps,
      'product.product',
      {
        domain: [
          ['default_code', '!=', false],
          ['write_date', '>=', toFirstOdooSecond(since)],
          ALL_RECORDS,
          context.companyDomain,
          ...filters,
        ],
        specification: { default_code: {}, write_date: {} },
      },
      call,
    )

  /** Reads the SKUs that changed at or after a time, by (time, SKU). Odoo stamps a product when its template changes. */
  const readChangedSkus = (since: number, filters: unknown[], offset: number, call: Call) =>
    loadChangedSkus(JSON.stringify([since, filters]), offset, call, async (shared) => {
      const records =
        filters.length === 0
          ? await context.productWrites.readProducts(since, shared)
          : await readFiltered(since, filters, shared)
      const times = new Map<string, number>()
      for (const { default_code: sku, write_date } of records)
        times.set(sku, Math.max(times.get(sku) ?? 0, toEpochMs(write_date)))
      const recent = [...times].filter(([, at]) => at >= since)
      return recent.sort(([a, x], [b, y]) => x - y || (a < b ? -1 : 1)).map(([sku]) => sku)
    })

  async function readChangesPage(query: ProductQuery & { updated_since: string }, parts: ItemParts, call: Call) {
    const filters = toSearchDomain(query, await context.readCatalogTables(call))
    if (filters === null) return EMPTY_PAGE
    const skus = await readChangedSkus(Date.parse(query.updated_since), filters, query.offset, call)
    const end = query.offset + query.limit
    return {
      items: await items.readItems(skus.slice(query.offset, end), parts, call),
      total: skus.length,
      has_more: end < skus.length,
    }
  }

  const search: InventoryPort['search'] = async (query, parts, call, onSkus) => {
    if (query.vehicle_id !== undefined)
      throw new UpstreamError('not_configured', 'the Odoo adapter does not support vehicles')
    return query.updated_since === undefined
      ? searchOnSale(query, parts, call, onSkus)
      : readChangesPage({ ...query, updated_since: query.updated_since }, parts, call)
  }
  return search
}
