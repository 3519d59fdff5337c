import { type Static, Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { createCachedTableLoader } from '../../cached-table-loader.ts'
import { parseRows } from '../../parse-rows.ts'
import { templateFields } from '../catalog/template-fields.ts'
import { nullable, TrytonBoolean, TrytonDecimal, TrytonId } from '../client/tryton-values.ts'
import type { TrytonContext } from '../context.ts'

const MAX_AGE_MS = 2_000

const Template = Type.Object({
  name: Type.String(),
  salable: TrytonBoolean,
  list_price: Type.Optional(nullable(TrytonDecimal)),
  default_uom: TrytonId,
  categories_all: Type.Array(TrytonId),
  'account_category.': Type.Optional(nullable(Type.Object({ customer_taxes_used: Type.Array(TrytonId) }))),
})
/** The service that is sold for a delivery. It may have no code. */
const CarrierProduct = Type.Object({
  id: TrytonId,
  /** From 7.2 on, the product may have a price of its own. */
  list_price: Type.Optional(nullable(TrytonDecimal)),
  'template.': Template,
})
const Carrier = Type.Object({
  id: TrytonId,
  carrier_cost_method: Type.String(),
  /** Only with the module carrier_percentage. */
  percentage: Type.Optional(nullable(TrytonDecimal)),
  'party.': Type.Object({ name: Type.Optional(nullable(Type.String())) }),
  'carrier_product.': CarrierProduct,
})
const CarrierShape = responseSchema(Carrier)
const Rows = responseSchema(Type.Array(Type.Unknown()))
/** A carrier of Tryton with the product that is sold for a delivery by it. */
export type Carrier = Static<typeof Carrier>

const PRODUCT_FIELDS = [
  'list_price',
  ...templateFields('name', 'salable', 'list_price', 'default_uom', 'categories_all'),
  ...templateFields('account_category.customer_taxes_used'),
]
const FIELDS = ['carrier_cost_method', 'party.name', ...PRODUCT_FIELDS.map((name) => `carrier_product.${name}`)]

type Sources = Pick<TrytonContext, 'rpc' | 'capabilities' | 'facts'>

/** Returns a reader of the active carriers, which are kept for two seconds; none without the module. */
export function createCarrierReader({ rpc, capabilities, facts }: Sources): (call: Call) => Promise<Carrier[]> {
  const load = async (call: Call) => {
    if (!(await capabilities.has('shipmentCosts', call))) return []
    const fields = (await capabilities.has('percentageCarriers', call)) ? [...FIELDS, 'percentage'] : FIELDS
    const params = [[['active', '=', true]], 0, null, [['id', 'ASC']], fields]
    return parseRows(await rpc(Rows, 'carrier.search_read', params, call), CarrierShape, (row) => row)
  }
  return createCachedTableLoader(load, { maxAgeMs: MAX_AGE_MS, now: () => facts.now().getTime() })
}
