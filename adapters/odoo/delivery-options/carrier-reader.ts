import { type Static, Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { Call } from '../../../src/ports/call.ts'
import { createCachedTableLoader } from '../../cached-table-loader.ts'
import { OdooId, OdooIds, OdooText } from '../client/odoo-values.ts'
import { foundShape, type Specification } from '../client/rpc.ts'
import type { OdooContext } from '../context.ts'
import { PricedRow } from '../pricing/priced-product.ts'

const MAX_AGE_MS = 2_000

/** The product that is sold for a delivery. It may have no SKU. */
const CarrierProduct = Type.Object({ ...PricedRow.properties, default_code: OdooText })

const PriceStep = Type.Object({
  id: OdooId,
  variable: Type.String(),
  operator: Type.String(),
  max_value: Type.Number(),
  list_base_price: Type.Number(),
  list_price: Type.Number(),
  variable_factor: Type.String(),
})
export type PriceStep = Static<typeof PriceStep>

/** A delivery method of Odoo, with its price or the steps of its price. */
export const Carrier = Type.Object({
  id: OdooId,
  name: Type.String(),
  carrier_description: OdooText,
  delivery_type: Type.String(),
  country_ids: OdooIds,
  state_ids: OdooIds,
  zip_prefix_ids: Type.Array(Type.Object({ id: OdooId, name: Type.String() })),
  max_weight: Type.Number(),
  max_volume: Type.Number(),
  must_have_tag_ids: OdooIds,
  excluded_tag_ids: OdooIds,
  margin: Type.Number(),
  fixed_margin: Type.Number(),
  free_over: Type.Boolean(),
  amount: Type.Number(),
  /** In Odoo's order. */
  price_rule_ids: Type.Array(PriceStep),
  product_id: CarrierProduct,
  /** True in Odoo 16: a fixed price has the margin too, and a price with steps may be free. */
  has_uniform_terms: Type.Optional(Type.Boolean()),
  /** True in Odoo 18: an order must have all of the tags, instead of one. */
  needs_all_tags: Type.Optional(Type.Boolean()),
})
export type Carrier = Static<typeof Carrier>
const Carriers = foundShape(Carrier)

const fieldsOf = (row: { properties: object }) =>
  Object.fromEntries(Object.keys(row.properties).map((name) => [name, {}]))
const { has_uniform_terms: _, needs_all_tags: __, ...carrierFields } = fieldsOf(Carrier) as Specification
const specification: Specification = {
  ...carrierFields,
  zip_prefix_ids: { fields: { name: {} } },
  price_rule_ids: { fields: fieldsOf(PriceStep) },
  product_id: { fields: fieldsOf(CarrierProduct) },
}

type Sources = Pick<OdooContext, 'rpc' | 'settings' | 'readOptionalFields' | 'nowMs'>

/** Returns a reader of the delivery methods with a price of their own, which are kept for two seconds; none without the module. */
export function createCarrierReader({ rpc, settings, readOptionalFields, nowMs }: Sources) {
  /** Returns which optional fields delivery methods have; `null`: the module is not installed. */
  async function findFields(call: Call): Promise<ReadonlySet<string> | null> {
    try {
      return await readOptionalFields('delivery.carrier', call)
    } catch (error) {
      if (error instanceof UpstreamError && error.failure === 'not_configured') return null
      throw error
    }
  }

  async function load(call: Call): Promise<Carrier[]> {
    const optional = await findFields(call)
    if (!optional) return []
    const domain = [
      ['delivery_type', 'in', ['fixed', 'base_on_rule']],
      ['company_id', 'in', [false, settings.company ?? 1]],
      // With eCommerce, only some methods are for the website.
      ...(optional.has('is_published') ? [['is_published', '=', true]] : []),
    ]
    const search = { domain, specification, order: 'sequence, id' }
    return (await rpc.search(Carriers, 'delivery.carrier', search, call)).records
  }
  return createCachedTableLoader(load, { maxAgeMs: MAX_AGE_MS, now: nowMs })
}
