import { type Static, Type } from 'typebox'
import type { MerchantFacts, Shape } from '../../../src/ports/adapter.ts'
import type { Call } from '../../../src/ports/call.ts'
import { shape } from '../../../src/upstream/response-schema.ts'
import type { Abilities } from '../client/capabilities.ts'
import { dayIn } from '../time-zone.ts'
import { isRefused } from '../accounting-context.ts'
import { readParty } from './party-pricing.ts'
import { categoryParents, type PriceList, readPriceList } from './price-list.ts'
import { settled } from '../catalog/product-rows.ts'
import { ofTemplate, records } from '../catalog/sku-records.ts'
import type { Rpc } from '../client/rpc.ts'
import { applied, ruleLines } from './tax-rules.ts'
import { taxTable } from './tax-table.ts'
import { TrytonBoolean, TrytonDecimal, TrytonId } from '../client/tryton-values.ts'
import { kept } from '../client/shared-load.ts'

const Unit = Type.Object({ id: TrytonId, symbol: Type.String(), factor: Type.Number() })
/** What a list price needs. The price is asked of the product itself: what it sells at is nobody else's word. */
const ListedRow = Type.Object({
  id: TrytonId,
  code: Type.String(),
  active: TrytonBoolean,
  list_price: Type.Union([TrytonDecimal, Type.Null()]),
  'default_uom.': Type.Object({ symbol: Type.String() }),
})
const ListedRows = records(ListedRow)
export type ListedRow = Static<typeof ListedRow>
const LISTED_FIELDS = ['code', 'active', 'list_price', ...ofTemplate('default_uom.symbol')]

/** What a price list looks at beside. */
const PricedRow = Type.Object({
  ...ListedRow.properties,
  categories_all: Type.Array(TrytonId),
  'default_uom.': Unit,
  'sale_uom.': Type.Optional(Type.Union([Unit, Type.Null()])),
  'account_category.': Type.Optional(
    Type.Union([Type.Object({ customer_taxes_used: Type.Optional(Type.Array(TrytonId)) }), Type.Null()]),
  ),
})
const PricedRows = records(PricedRow)
export type PricedRow = Static<typeof PricedRow>
const PRICED_FIELDS = [
  ...LISTED_FIELDS,
  ...ofTemplate('categories_all', 'default_uom.factor', 'sale_uom.symbol', 'sale_uom.factor'),
  ...ofTemplate('account_category.customer_taxes_used'),
]

export interface PriceReader {
  rpc: Rpc
  /** Of each SKU that has a price, its record. */
  rows(skus: readonly string[], call: Call): Promise<PricedRow[]>
  /** The same, as far as list prices need them. */
  listed(skus: readonly string[], call: Call): Promise<ListedRow[]>
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

  async function read<R extends ListedRow>(rows: Shape<R[]>, fields: string[], skus: readonly string[], call: Call) {
    const domain = [
      ['code', 'in', [...new Set(skus)]],
      ['active', 'in', [true, false]],
    ]
    const found = await rpc(rows, 'product.product.search_read', [domain, 0, null, [['id', 'ASC']], fields], call)
    const chosen = [...Map.groupBy(found, (row) => row.code).values()].map((records) => settled(records))
    return chosen.filter((row) => row.list_price !== null)
  }

  return {
    rpc,
    rows: (skus, call) => read(PricedRows, PRICED_FIELDS, skus, call),
    listed: (skus, call) => read(ListedRows, LISTED_FIELDS, skus, call),
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
