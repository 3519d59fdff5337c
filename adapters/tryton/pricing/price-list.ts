import { type Static, Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/response-schema.ts'
import type { Rpc } from '../client/rpc.ts'
import { createCachedLoader } from '../client/shared-load.ts'
import { TrytonBoolean, TrytonId } from '../client/tryton-values.ts'
import type { PricedProductRow } from './price-reader.ts'

const Reference = Type.Union([TrytonId, Type.Null()])
const List = Type.Object({ id: TrytonId, tax_included: TrytonBoolean, unit: Type.String() })
const Lists = responseSchema(Type.Array(List))
const Line = Type.Object({ quantity: Type.Number(), product: Reference, category: Reference })
const Lines = responseSchema(Type.Array(Line))
const Categories = responseSchema(Type.Array(Type.Object({ id: TrytonId, parent: Reference })))

type Touches = (row: PricedProductRow) => boolean

/** A price list, and the products that it may price anew at each of its quantities: all of them at the first. */
export interface PriceList extends Static<typeof List> {
  quantities: Map<number, Touches>
  /** The taxes that its prices hold, for this customer. */
  taxesOf(ids: readonly number[]): number[]
}

/** Of each category the one above it. */
export type CategoryParents = ReadonlyMap<number, number | null>

export async function readPriceList(
  rpc: Rpc,
  id: number,
  parentsOf: (call: Call) => Promise<CategoryParents>,
  call: Call,
): Promise<Omit<PriceList, 'taxesOf'>> {
  const domain = [
    ['price_list', '=', id],
    ['quantity', '>', 1],
  ]
  const params = [domain, 0, null, [['quantity', 'ASC']], Object.keys(Line.properties)]
  const [lists, lines] = await Promise.all([
    rpc(Lists, 'product.price_list.read', [[id], ['tax_included', 'unit']], call),
    rpc(Lines, 'product.price_list.line.search_read', params, call),
  ])
  const byQuantity = Map.groupBy(lines, (line) => line.quantity)
  const parents: CategoryParents = lines.some((line) => line.category !== null) ? await parentsOf(call) : new Map()
  const quantities = new Map<number, Touches>([[1, () => true]])
  for (const [quantity, own] of byQuantity)
    quantities.set(quantity, (row) => own.some((line) => isFor(line, row, parents)))
  return { ...lists[0]!, quantities }
}

/** All of them are read, for every cart and page of a customer with contract prices: they seldom change. */
export function createCategoryParentsReader(rpc: Rpc, now: () => number): (call: Call) => Promise<CategoryParents> {
  const load = async (call: Call) => {
    const rows = await rpc(Categories, 'product.category.search_read', [[], 0, null, null, ['parent']], call)
    return new Map(rows.map((row) => [row.id, row.parent]))
  }
  return createCachedLoader(load, { maxAgeMs: 60_000, now })
}

/** A line is for a product, for what lies in or below a category, or for everything. */
function isFor(line: Static<typeof Line>, row: PricedProductRow, parents: CategoryParents): boolean {
  if (line.product !== null && line.product !== row.id) return false
  return (
    line.category === null ||
    row.categories_all.some((id) => categoryWithAncestors(id, parents).includes(line.category!))
  )
}

/** A category and all above it. */
export function categoryWithAncestors(id: number, parents: CategoryParents): number[] {
  const parent = parents.get(id)
  return parent ? [id, ...categoryWithAncestors(parent, parents)] : [id]
}
