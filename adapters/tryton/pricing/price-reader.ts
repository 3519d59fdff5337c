import { type Static, Type } from 'typebox'
import type { MerchantFacts, ResponseSchema } from '../../../src/ports/adapter.ts'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/response-schema.ts'
import { isRejected } from '../accounting-context.ts'
import { chooseRecord } from '../catalog/product-rows.ts'
import { skuRecordsShape, templateFields } from '../catalog/sku-records.ts'
import type { Capabilities } from '../client/capabilities.ts'
import type { Rpc } from '../client/rpc.ts'
import { createCachedLoader } from '../client/shared-load.ts'
import { TrytonBoolean, TrytonDecimal, TrytonId } from '../client/tryton-values.ts'
import { dateInTimeZone } from '../time-zone.ts'
import { readPartyPricing } from './party-pricing.ts'
import { createCategoryParentsReader, type PriceList, readPriceList } from './price-list.ts'
import { applyTaxRule, readTaxRuleLines } from './tax-rules.ts'
import { createTaxTableReader } from './tax-table.ts'

const Unit = Type.Object({ id: TrytonId, symbol: Type.String(), factor: Type.Number() })
/** What a list price needs. The price is asked of the product itself: what it sells at is nobody else's word. */
const ListPriceRow = Type.Object({
  id: TrytonId,
  code: Type.String(),
  active: TrytonBoolean,
  list_price: Type.Union([TrytonDecimal, Type.Null()]),
  'default_uom.': Type.Object({ symbol: Type.String() }),
})
const ListedRows = skuRecordsShape(ListPriceRow)
export type ListPriceRow = Static<typeof ListPriceRow>
const LISTED_FIELDS = ['code', 'active', 'list_price', ...templateFields('default_uom.symbol')]

/** What a price list looks at beside. */
const PricedProductRow = Type.Object({
  ...ListPriceRow.properties,
  categories_all: Type.Array(TrytonId),
  'default_uom.': Unit,
  'sale_uom.': Type.Optional(Type.Union([Unit, Type.Null()])),
  'account_category.': Type.Optional(
    Type.Union([Type.Object({ customer_taxes_used: Type.Optional(Type.Array(TrytonId)) }), Type.Null()]),
  ),
})
const PricedRows = skuRecordsShape(PricedProductRow)
export type PricedProductRow = Static<typeof PricedProductRow>
const PRICED_FIELDS = [
  ...LISTED_FIELDS,
  ...templateFields('categories_all', 'default_uom.factor', 'sale_uom.symbol', 'sale_uom.factor'),
  ...templateFields('account_category.customer_taxes_used'),
]

export interface PriceReader {
  rpc: Rpc
  /** Of each SKU that has a price, its record. */
  rows(skus: readonly string[], call: Call): Promise<PricedProductRow[]>
  /** The same, as far as list prices need them. */
  listed(skus: readonly string[], call: Call): Promise<ListPriceRow[]>
  /** A customer's price list; `null`: they pay list prices. Rejects for one who is not there. */
  listOf(party: number, call: Call): Promise<PriceList | null>
}

const Shops = responseSchema(Type.Array(Type.Object({ sale_price_list: Type.Union([TrytonId, Type.Null()]) })))

export function createPriceReader(rpc: Rpc, abilities: Capabilities, { timeZone, now }: MerchantFacts): PriceReader {
  const clock = () => now().getTime()
  const taxes = createTaxTableReader(rpc, clock)
  const parents = createCategoryParentsReader(rpc, clock)
  const usual = createCachedLoader((call) => usualList(rpc, call), { maxAgeMs: 60_000, now: clock })

  /** A list with prices that hold their tax holds those that this customer pays. */
  async function taxesFor(
    rule: number | null | undefined,
    included: boolean,
    call: Call,
  ): Promise<PriceList['taxesOf']> {
    if (!included || !rule) return (ids) => [...ids]
    const [lines, table] = await Promise.all([readTaxRuleLines(rpc, rule, call), taxes(call)])
    return (ids) => applyTaxRule(ids, table, lines, dateInTimeZone(timeZone, now()))
  }

  async function read<R extends ListPriceRow>(
    rows: ResponseSchema<R[]>,
    fields: string[],
    skus: readonly string[],
    call: Call,
  ) {
    const domain = [
      ['code', 'in', [...new Set(skus)]],
      ['active', 'in', [true, false]],
    ]
    const found = await rpc(rows, 'product.product.search_read', [domain, 0, null, [['id', 'ASC']], fields], call)
    const chosen = [...Map.groupBy(found, (row) => row.code).values()].map((records) => chooseRecord(records))
    return chosen.filter((row) => row.list_price !== null)
  }

  return {
    rpc,
    rows: (skus, call) => read(PricedRows, PRICED_FIELDS, skus, call),
    listed: (skus, call) => read(ListedRows, LISTED_FIELDS, skus, call),
    async listOf(party, call) {
      const lists = await abilities.has('priceLists', call)
      const fields = lists ? ['sale_price_list', 'customer_tax_rule'] : []
      const { sale_price_list, customer_tax_rule } = await readPartyPricing(rpc, party, call, fields)
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
    if (!isRejected(error)) throw error
    return null
  }
}
