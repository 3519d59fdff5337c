import { type Static, Type } from 'typebox'
import type { MerchantFacts } from '../../../src/ports/adapter.ts'
import type { Call } from '../../../src/ports/call.ts'
import type { ResponseSchema } from '../../../src/ports/http-client.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { createCachedTableLoader } from '../../cached-table-loader.ts'
import { dateInTimeZone } from '../../calendar-day.ts'
import { createCategoryParentsReader } from '../catalog/category-parents.ts'
import { chooseSkuRecord } from '../catalog/choose-sku-record.ts'
import { skuRecordsShape } from '../catalog/sku-record-schema.ts'
import { templateFields } from '../catalog/template-fields.ts'
import type { Capabilities } from '../client/capabilities.ts'
import type { Rpc } from '../client/rpc.ts'
import { isRejected } from '../client/rpc-errors.ts'
import { TrytonBoolean, TrytonDecimal, TrytonId } from '../client/tryton-values.ts'
import { readPartyPricing } from './party-pricing.ts'
import { type PriceList, readPriceList } from './price-list-reader.ts'
import { applyTaxRule, readTaxRuleLines } from './tax-rules.ts'
import { createTaxTableReader } from './tax-table.ts'

const Unit = Type.Object({ id: TrytonId, symbol: Type.String(), factor: Type.Number() })
/** The fields of a list price. From 7.2 on, a product has one of its own, or that of its template. */
const ListPriceRow = Type.Object({
  id: TrytonId,
  code: Type.String(),
  active: TrytonBoolean,
  list_price: Type.Union([TrytonDecimal, Type.Null()]),
  'default_uom.': Type.Object({ symbol: Type.String() }),
})
const ListedRows = skuRecordsShape(ListPriceRow)
export type ListPriceRow = Static<typeof ListPriceRow>
const LISTED_FIELDS = ['code', 'active', 'list_price', ...templateFields('list_price', 'default_uom.symbol')]

/** The additional fields that a price list needs. */
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

export interface PriceRecordReader {
  rpc: Rpc
  /** Reads the records of the SKUs that have a price. */
  readPricedRows(skus: readonly string[], call: Call): Promise<PricedProductRow[]>
  /** Reads the same records with the fields of list prices only. */
  readListPriceRows(skus: readonly string[], call: Call): Promise<ListPriceRow[]>
  /** Reads the price list of a customer; `null` for a customer who pays list prices. Rejects for an unknown customer. */
  readCustomerPriceList(party: number, call: Call): Promise<PriceList | null>
}

const Shops = responseSchema(Type.Array(Type.Object({ sale_price_list: Type.Union([TrytonId, Type.Null()]) })))

export function createPriceRecordReader(
  rpc: Rpc,
  capabilities: Capabilities,
  { timeZone, now }: MerchantFacts,
): PriceRecordReader {
  const nowMs = () => now().getTime()
  const readTaxTable = createTaxTableReader(rpc, nowMs)
  const readCategoryParents = createCategoryParentsReader(rpc, nowMs)
  const readDefaultListId = createCachedTableLoader((call) => loadDefaultListId(rpc, call), {
    maxAgeMs: 60_000,
    now: nowMs,
  })

  /** Returns the taxes included in prices of a list: with tax-included prices, those that this customer pays. */
  async function createIncludedTaxes(
    ruleId: number | null | undefined,
    isTaxIncluded: boolean,
    call: Call,
  ): Promise<PriceList['includedTaxIds']> {
    if (!isTaxIncluded || !ruleId) return (ids) => [...ids]
    const [lines, table] = await Promise.all([readTaxRuleLines(rpc, ruleId, call), readTaxTable(call)])
    return (ids) => applyTaxRule(ids, table, lines, dateInTimeZone(timeZone, now()))
  }

  async function readRows<R extends ListPriceRow>(
    shape: ResponseSchema<R[]>,
    fields: string[],
    skus: readonly string[],
    call: Call,
  ) {
    const domain = [
      ['code', 'in', [...new Set(skus)]],
      ['active', 'in', [true, false]],
    ]
    const found = await rpc(shape, 'product.product.search_read', [domain, 0, null, [['id', 'ASC']], fields], call)
    const chosen = [...Map.groupBy(found, (row) => row.code).values()].map((records) => chooseSkuRecord(records))
    return chosen.filter((row) => row.list_price !== null)
  }

  return {
    rpc,
    readPricedRows: (skus, call) => readRows(PricedRows, PRICED_FIELDS, skus, call),
    readListPriceRows: (skus, call) => readRows(ListedRows, LISTED_FIELDS, skus, call),
    async readCustomerPriceList(party, call) {
      const hasPriceLists = await capabilities.has('priceLists', call)
      const fields = hasPriceLists ? ['sale_price_list', 'customer_tax_rule'] : []
      const { sale_price_list, customer_tax_rule } = await readPartyPricing(rpc, party, call, fields)
      const id = sale_price_list ?? (hasPriceLists ? await readDefaultListId(call) : null)
      if (!id) return null
      const list = await readPriceList(rpc, id, readCategoryParents, call)
      return { ...list, includedTaxIds: await createIncludedTaxes(customer_tax_rule, Boolean(list.tax_included), call) }
    },
  }
}

/**
 * Reads the price list of customers without one of their own. An account without access to the settings of the shop
 * sells at list prices.
 */
async function loadDefaultListId(rpc: Rpc, call: Call): Promise<number | null> {
  try {
    const [shop] = await rpc(Shops, 'sale.configuration.read', [[1], ['sale_price_list']], call)
    return shop?.sale_price_list ?? null
  } catch (error) {
    if (!isRejected(error)) throw error
    return null
  }
}
