import { Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { createCachedTableLoader } from '../../cached-table-loader.ts'
import type { Rpc } from './rpc.ts'

const Fields = responseSchema(Type.Record(Type.String(), Type.Unknown()))

/** Fields that only some modules add. One unknown field fails a whole read, so each is looked up first. */
const OPTIONAL_FIELDS = {
  'product.product': [
    'public_categ_ids',
    'is_published',
    'is_storable',
    'allow_out_of_stock_order',
    'uom_ids',
    'product_template_image_ids',
    'product_variant_image_ids',
  ],
  'stock.picking': ['carrier_id', 'carrier_tracking_ref', 'carrier_tracking_url'],
  'delivery.carrier': ['is_published'],
} as const

export type OptionalModel = keyof typeof OPTIONAL_FIELDS
export type FieldSet = ReadonlySet<string>
export type OptionalFieldReader = (model: OptionalModel, call: Call) => Promise<FieldSet>

/** Returns which optional fields a model has. They are read once, and again after ten minutes, because a module may be installed later. */
export function createOptionalFieldReader(rpc: Rpc, nowMs: () => number): OptionalFieldReader {
  const load = (model: OptionalModel) => async (call: Call) => {
    const args = { allfields: OPTIONAL_FIELDS[model], attributes: ['type'] }
    return new Set(Object.keys(await rpc.call(Fields, `${model}/fields_get`, args, call)))
  }
  const options = { maxAgeMs: 600_000, now: nowMs }
  const readers = {
    'product.product': createCachedTableLoader(load('product.product'), options),
    'stock.picking': createCachedTableLoader(load('stock.picking'), options),
    'delivery.carrier': createCachedTableLoader(load('delivery.carrier'), options),
  }
  return (model, call) => readers[model](call)
}
