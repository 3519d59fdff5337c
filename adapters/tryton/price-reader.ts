import { type Static, Type } from 'typebox'
import type { MerchantFacts } from '../../src/ports/adapter.ts'
import type { Call } from '../../src/ports/call.ts'
import { shape } from '../../src/upstream/shape.ts'
import type { Abilities } from './abilities.ts'
import { dayIn } from './days.ts'
import { isRefused } from './ledger.ts'
import { readParty } from './parties.ts'
import { categoryParents, type PriceList, readPriceList } from './price-list.ts'
import { settled } from './products.ts'
import { records } from './records.ts'
import type { Rpc } from './rpc.ts'
import { applied, ruleLines } from './tax-rules.ts'
import { taxTable } from './taxes.ts'
import { TrytonBoolean, TrytonDecimal, TrytonId } from './values.ts'
import { kept } from './waiting.ts'

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

const Shops = shape(Type.Array(Type.Object({ sale_price_list: Type.Union([TrytonId, Type.Null()]) })))

export function priceReader(rpc: Rpc, abilities: Abilities, { timeZone, now }: MerchantFacts): PriceReader {
  const clock = () => now().getTime()
  const taxes = taxTable(rpc, clock)
  const parents = categoryParents(rpc, clock)
  const usual = kept((call) => usualList(rpc, call), { maxAgeMs: 60_000, now: clock })

  /** A list with prices that hold their tax holds those that this customer pays. */
  async function taxesFor(
    rule: number | null | undefined,
    included: boolean,
    call: Call,
  ): Promise<PriceList['taxesOf']> {
    if (!included || !rule) return (ids) => [...ids]
    const [lines, table] = await Promise.all([ruleLines(rpc, rule, call), taxes(call)])
    return (ids) => applied(ids, table, lines, dayIn(timeZone, now()))
  }

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
      const fields = lists ? ['sale_price_list', 'customer_tax_rule'] : []
      const { sale_price_list, customer_tax_rule } = await readParty(rpc, party, call, fields)
      const id = sale_price_list ?? (lists ? await usual(call) : null)
      if (!id) return null
      const list = await readPriceList(rpc, id, parents, call)
      return { ...list, taxesOf: await taxesFor(customer_tax_rule, Boolean(list.tax_included), call) }
    },
  }
}

/** The list of customers who have none of their own. An account that may not see the shop's settings sells at list prices to them. */
async function usualList(rpc: Rpc, call: Call): Promise<number | null> {
  try {
    const [shop] = await rpc(Shops, 'sale.configuration.read', [[1], ['sale_price_list']], call)
    return shop?.sale_price_list ?? null
  } catch (error) {
    if (!isRefused(error)) throw error
    return null
  }
}
