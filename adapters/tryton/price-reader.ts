import { type Static, Type } from 'typebox'
import type { Call } from '../../src/ports/call.ts'
import type { Abilities } from './abilities.ts'
import { readParty } from './parties.ts'
import { type PriceList, readPriceList } from './price-list.ts'
import { settled } from './products.ts'
import { records } from './records.ts'
import type { Rpc } from './rpc.ts'
import { TrytonBoolean, TrytonDecimal, TrytonId } from './values.ts'

const Unit = Type.Object({ id: TrytonId, symbol: Type.String(), factor: Type.Number() })
const PricedRow = Type.Object({
  id: TrytonId,
  code: Type.String(),
  active: TrytonBoolean,
  categories_all: Type.Array(TrytonId),
  list_price: Type.Union([TrytonDecimal, Type.Null()]),
  'default_uom.': Unit,
  'sale_uom.': Type.Optional(Type.Union([Unit, Type.Null()])),
  'account_category.': Type.Optional(
    Type.Union([Type.Object({ customer_taxes_used: Type.Optional(Type.Array(TrytonId)) }), Type.Null()]),
  ),
})
const PricedRows = records(PricedRow)
export type PricedRow = Static<typeof PricedRow>
const PRICED_FIELDS = [
  ...['code', 'active', 'list_price', 'categories_all', 'account_category.customer_taxes_used'],
  ...['default_uom', 'sale_uom'].flatMap((unit) => [`${unit}.symbol`, `${unit}.factor`]),
]

export interface PriceReader {
  rpc: Rpc
  /** Of each SKU that has a price, its record. */
  rows(skus: readonly string[], call: Call): Promise<PricedRow[]>
  /** A customer's price list; `null`: they pay list prices. Rejects for one who is not there. */
  listOf(party: number, call: Call): Promise<PriceList | null>
}

export function priceReader(rpc: Rpc, abilities: Abilities): PriceReader {
  return {
    rpc,
    async rows(skus, call) {
      const domain = [
        ['code', 'in', [...new Set(skus)]],
        ['active', 'in', [true, false]],
      ]
      const params = [domain, 0, null, [['id', 'ASC']], PRICED_FIELDS]
      const rows = await rpc(PricedRows, 'product.product.search_read', params, call)
      const chosen = [...Map.groupBy(rows, (row) => row.code).values()].map((records) => settled(records))
      return chosen.filter((row) => row.list_price !== null)
    },
    async listOf(party, call) {
      const lists = await abilities.has('priceLists', call)
      const { sale_price_list } = await readParty(rpc, party, call, lists ? ['sale_price_list'] : [])
      return sale_price_list ? readPriceList(rpc, sale_price_list, call) : null
    },
  }
}
