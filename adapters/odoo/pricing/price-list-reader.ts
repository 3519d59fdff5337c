import { type Static, Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import { createCachedTableLoader } from '../../cached-table-loader.ts'
import { emptyOr, OdooDatetime, OdooId, OdooLink, toEpochMs } from '../client/odoo-values.ts'
import { foundShape, type Rpc } from '../client/rpc.ts'
import type { OdooSettings } from '../settings.ts'
import type { PriceLists, PriceRule } from './price-rules.ts'

const MAX_AGE_MS = 2_000
const MAX_AGE_FOR_VISITORS_MS = 60_000
/** The order in which Odoo looks for a rule that applies. */
const RULE_ORDER = 'applied_on, min_quantity desc, categ_id desc, id desc'

const RuleRow = Type.Object({
  id: OdooId,
  pricelist_id: OdooId,
  currency_id: OdooId,
  applied_on: Type.Enum(['3_global', '2_product_category', '1_product', '0_product_variant']),
  categ_id: OdooLink,
  product_tmpl_id: OdooLink,
  product_id: OdooLink,
  min_quantity: Type.Number(),
  date_start: emptyOr(OdooDatetime),
  date_end: emptyOr(OdooDatetime),
  compute_price: Type.Enum(['fixed', 'percentage', 'formula']),
  base: Type.Enum(['list_price', 'standard_price', 'pricelist']),
  base_pricelist_id: OdooLink,
  fixed_price: Type.Number(),
  percent_price: Type.Number(),
  price_discount: Type.Number(),
  price_markup: Type.Number(),
  price_round: Type.Number(),
  price_surcharge: Type.Number(),
  price_min_margin: Type.Number(),
  price_max_margin: Type.Number(),
})
type RuleRow = Static<typeof RuleRow>
const RuleRows = foundShape(RuleRow)
const specification = Object.fromEntries(Object.keys(RuleRow.properties).map((field) => [field, {}]))

/** The rules of all price lists. */
export interface PriceListReader {
  /** Returns rules that are kept for two seconds. */
  read(call: Call): Promise<PriceLists>
  /** Returns rules for prices of anonymous shoppers, which are kept for a minute. */
  readForVisitors(call: Call): Promise<PriceLists>
  /** Makes the next read load the rules: the change feed has seen that one changed. */
  forget(): void
}

export function createPriceListReader(rpc: Rpc, settings: OdooSettings, nowMs: () => number): PriceListReader {
  const load = async (call: Call): Promise<PriceLists> => {
    const domain = [['pricelist_id.company_id', 'in', [false, settings.company ?? 1]]]
    const search = { domain, specification, order: RULE_ORDER }
    const { records } = await rpc.search(RuleRows, 'product.pricelist.item', search, call)
    return Map.groupBy(records.map(toRule), ({ priceListId }) => priceListId)
  }
  const create = () => {
    const read = createCachedTableLoader(load, { maxAgeMs: MAX_AGE_MS, now: nowMs })
    return { read, readForVisitors: createCachedTableLoader(read, { maxAgeMs: MAX_AGE_FOR_VISITORS_MS, now: nowMs }) }
  }
  let loaders = create()
  return {
    read: (call) => loaders.read(call),
    readForVisitors: (call) => loaders.readForVisitors(call),
    forget() {
      loaders = create()
    },
  }
}

const toRule = (row: RuleRow): PriceRule => ({
  id: row.id,
  priceListId: row.pricelist_id,
  currencyId: row.currency_id,
  appliesTo: row.applied_on,
  categoryId: row.categ_id || null,
  templateId: row.product_tmpl_id || null,
  productId: row.product_id || null,
  minQuantity: row.min_quantity,
  startsAt: row.date_start ? toEpochMs(row.date_start) : null,
  endsAt: row.date_end ? toEpochMs(row.date_end) : null,
  method: row.compute_price,
  base: row.base,
  basePriceListId: row.base_pricelist_id || null,
  fixedPrice: row.fixed_price,
  percentOff: row.percent_price,
  discount: row.price_discount,
  markup: row.price_markup,
  roundTo: row.price_round,
  surcharge: row.price_surcharge,
  minMargin: row.price_min_margin,
  maxMargin: row.price_max_margin,
})
