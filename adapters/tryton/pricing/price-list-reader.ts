import { type Static, Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { type CategoryParents, categoryWithAncestors } from '../catalog/category-parents.ts'
import type { Rpc } from '../client/rpc.ts'
import { TrytonBoolean, TrytonId } from '../client/tryton-values.ts'
import type { PricedProductRow } from './price-record-reader.ts'

const Reference = Type.Union([TrytonId, Type.Null()])
const List = Type.Object({ id: TrytonId, tax_included: TrytonBoolean, unit: Type.String() })
const Lists = responseSchema(Type.Array(List))
const Line = Type.Object({ quantity: Type.Number(), product: Reference, category: Reference })
const Lines = responseSchema(Type.Array(Line))

type AppliesTo = (row: PricedProductRow) => boolean

/** A price list, and the products whose price may change at each of its quantities: all of them at the first one. */
export interface PriceList extends Static<typeof List> {
  quantities: Map<number, AppliesTo>
  /** Returns the taxes that its prices include for this customer. */
  includedTaxIds(ids: readonly number[]): number[]
}

export async function readPriceList(
  rpc: Rpc,
  id: number,
  readParents: (call: Call) => Promise<CategoryParents>,
  call: Call,
): Promise<Omit<PriceList, 'includedTaxIds'>> {
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
  const parents: CategoryParents = lines.some((line) => line.category !== null) ? await readParents(call) : new Map()
  const quantities = new Map<number, AppliesTo>([[1, () => true]])
  for (const [quantity, linesAtQuantity] of byQuantity)
    quantities.set(quantity, (row) => linesAtQuantity.some((line) => lineAppliesTo(line, row, parents)))
  return { ...lists[0]!, quantities }
}

/** Returns true when a line applies to a product: it names the product, a category or ancestor of it, or neither. */
function lineAppliesTo(line: Static<typeof Line>, row: PricedProductRow, parents: CategoryParents): boolean {
  if (line.product !== null && line.product !== row.id) return false
  return (
    line.category === null ||
    row.categories_all.some((id) => categoryWithAncestors(id, parents).includes(line.category!))
  )
}
