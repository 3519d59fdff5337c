import { Type } from 'typebox'
import { UpstreamError } from '../../src/errors.ts'
import type { Client, MerchantFacts } from '../../src/ports/adapter.ts'
import type { Call } from '../../src/ports/call.ts'
import type { InventoryPort, Item, ItemPage, Parts, ProductQuery, Stock } from '../../src/ports/inventory.ts'
import { shape } from '../../src/upstream/shape.ts'
import { type CategoryTable, categoryTable, toCategory, toTag } from './categories.ts'
import { changes } from './changes.ts'
import { counts } from './counts.ts'
import { changedAt, type ProductRow, ProductRows, productFields, settled, toProduct } from './products.ts'
import { createRpc } from './rpc.ts'
import { filtersOf, sold } from './search.ts'
import type { TrytonSettings } from './settings.ts'
import { expectedReceipts, stockContext } from './stock.ts'
import { warehouses } from './warehouses.ts'

const Codes = shape(Type.Array(Type.Object({ code: Type.String() })))
const Count = shape(Type.Integer())
const MAX_SKUS = 50
const nothing: ItemPage = { items: [], total: 0, has_more: false }
/**
 * Tryton stamps a change with the start of its transaction, and shows it at its end. A gunicorn in front of it ends a
 * request after 120 s at the most in the usual set-up, so no change shows later than that.
 */
const LATE_COMMIT_SECONDS = 120

export function inventory(settings: TrytonSettings, client: Client, facts: MerchantFacts): InventoryPort {
  const now = () => facts.now().getTime()
  const rpc = createRpc(settings, client, now)
  const table = categoryTable(settings, rpc, now)
  const places = warehouses(settings, rpc, now)
  const countsOf = counts(rpc, now)
  const changed = changes(rpc, now)

  /** Every record of these SKUs, with the product and the free quantity in one call, and a second one for what is out of stock. */
  async function read(skus: readonly string[], parts: Parts, call: Call): Promise<Map<string, Found>> {
    if (skus.length === 0) return new Map()
    const zones = parts.stock ? await places(call) : undefined
    const fields = [...productFields(settings), ...(zones ? ['quantity'] : [])]
    const domain = [
      ['code', 'in', skus],
      ['active', 'in', [true, false]],
    ]
    const params = [domain, 0, null, [['id', 'ASC']], fields]
    const rows = await rpc(ProductRows, 'product.product.search_read', params, call, zones && stockContext(zones))
    const found = Map.groupBy(rows, (row) => row.code)
    const chosen = new Map([...found].map(([sku, rows]) => [sku, { row: settled(rows), updatedAt: changedAt(rows) }]))
    if (zones === undefined) return chosen
    const out = [...chosen.values()].filter(({ row }) => (row.quantity ?? 0) <= 0).map(({ row }) => row.id)
    const expected = await expectedReceipts(rpc, out, zones, call)
    return new Map([...chosen].map(([sku, one]) => [sku, { ...one, expected: expected.get(one.row.id) ?? [] }]))
  }

  async function itemsOf(
    skus: readonly string[],
    parts: Parts,
    shown: (row: ProductRow) => boolean,
    call: Call,
  ): Promise<Item[]> {
    const [found, nodes] = await Promise.all([read(skus, parts, call), parts.product ? table(call) : undefined])
    return skus.flatMap((sku) => {
      const one = found.get(sku)
      return one && shown(one.row) ? [toItem(one, nodes, parts, settings)] : []
    })
  }

  /** The page's SKUs and the count are asked for together; then the SKUs are read, with the retired records that share one. */
  async function search(query: ProductQuery, parts: Parts, call: Call): Promise<ItemPage> {
    const filters = filtersOf(query, await table(call), settings)
    if (filters === null) return nothing
    const domain = [...sold, ...filters]
    const order = [
      ['code', 'ASC'],
      ['id', 'ASC'],
    ]
    const [codes, total] = await Promise.all([
      rpc(Codes, 'product.product.search_read', [domain, query.offset, query.limit, order, ['code']], call),
      rpc(Count, 'product.product.search_count', [domain], call),
    ])
    const items = await itemsOf(
      codes.map((row) => row.code),
      parts,
      () => true,
      call,
    )
    return { items, total, has_more: query.offset + codes.length < total }
  }

  /** Here a product that is no longer for sale comes too, as one that is not active. */
  async function changesPage(
    query: ProductQuery & { updated_since: string },
    parts: Parts,
    call: Call,
  ): Promise<ItemPage> {
    const filters = filtersOf(query, await table(call), settings)
    if (filters === null) return nothing
    const skus = await changed(Date.parse(query.updated_since), filters, query.offset, call)
    const end = query.offset + query.limit
    const items = await itemsOf(skus.slice(query.offset, end), parts, () => true, call)
    return { items, total: skus.length, has_more: end < skus.length }
  }

  return {
    maxSkus: MAX_SKUS,
    watermarkOverlapSeconds: LATE_COMMIT_SECONDS,
    search(query, parts, call) {
      if (query.vehicle_id !== undefined)
        return Promise.reject(new UpstreamError('not_configured', 'vehicles are not read from Tryton'))
      return query.updated_since === undefined
        ? search(query, parts, call)
        : changesPage({ ...query, updated_since: query.updated_since }, parts, call)
    },
    items: (skus, parts, call) => itemsOf([...new Set(skus)], parts, (row) => Boolean(row.salable), call),
    async categories(call) {
      const [nodes, count] = await Promise.all([table(call), countsOf(call)])
      return [...nodes.categories.values()].map((node) => toCategory(node, count(node.id, nodes.categories)))
    },
    async tags(call) {
      const [nodes, count] = await Promise.all([table(call), countsOf(call)])
      if (nodes.tags === null) throw new UpstreamError('not_configured', 'there is no root category for tags')
      const tags = nodes.tags
      return [...tags.values()].map((node) => toTag(node, count(node.id, null)))
    },
  }
}

interface Found {
  row: ProductRow
  updatedAt: number
  expected?: Stock['expected']
}

function toItem(found: Found, table: CategoryTable | undefined, parts: Parts, settings: TrytonSettings): Item {
  const item: Item = { sku: found.row.code }
  if (table) item.product = toProduct(found.row, found.updatedAt, table, settings)
  if (parts.stock) item.stock = toStock(found)
  return item
}

/** A service has no stock. */
function toStock({ row, expected }: Found): Stock | null {
  if (row.type === 'service' || row.quantity === undefined) return null
  return { available: row.quantity, expected: expected ?? [] }
}
