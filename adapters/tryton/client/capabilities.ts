import { Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { createCachedTableLoader } from '../../cached-table-loader.ts'
import type { Rpc } from './rpc.ts'
import { UnknownNameError } from './rpc-errors.ts'

const Fields = responseSchema(Type.Record(Type.String(), Type.Unknown()))

/** Capabilities with their module, and the model and field that show that it is activated. */
const CAPABILITY_FIELDS = {
  orders: ['sale', 'sale.sale', 'number'],
  invoices: ['account_invoice', 'account.invoice', 'amount_to_pay'],
  shipments: ['sale', 'stock.shipment.out', 'number'],
  /** Its `web_id` is the only field of a sale that the database keeps unique. */
  webOrders: ['web_shop', 'sale.sale', 'web_id'],
  /**
   * A field that came with 7.6. Since then, a Web ID is unique within a web shop only, and a line's `draft_unit_price`
   * is called `original_unit_price`.
   */
  release76: ['sale', 'sale.sale', 'quotation_expire'],
  priceLists: ['sale_price_list', 'party.party', 'sale_price_list'],
  secondaryUnits: ['sale_secondary_unit', 'product.template', 'sale_secondary_uom'],
  creditLimits: ['account_credit_limit', 'party.party', 'credit_limit_amount'],
  promotions: ['sale_promotion', 'sale.promotion', 'formula'],
  coupons: ['sale_promotion_coupon', 'sale.sale', 'coupons'],
  shipmentCosts: ['sale_shipment_cost', 'sale.sale', 'shipment_cost_method'],
  percentageCarriers: ['carrier_percentage', 'carrier', 'percentage'],
} as const

export type Capability = keyof typeof CAPABILITY_FIELDS

export interface Capabilities {
  has(capability: Capability, call: Call): Promise<boolean>
  /** Rejects with 'not_configured' when a module is missing. */
  require(call: Call, ...capabilities: Capability[]): Promise<void>
}

/**
 * The capabilities of a server's modules. They are read once per model, and again after ten minutes, because a module
 * may be activated later.
 */
export function createCapabilities(rpc: Rpc, nowMs: () => number): Capabilities {
  const byModel = Map.groupBy(Object.values(CAPABILITY_FIELDS), ([, model]) => model)
  const fieldsOf = new Map(
    [...byModel].map(([model, entries]) => {
      const fields = entries.map(([, , field]) => field)
      return [
        model,
        createCachedTableLoader((call) => readExistingFields(rpc, model, fields, call), {
          maxAgeMs: 600_000,
          now: nowMs,
        }),
      ] as const
    }),
  )
  const has = async (capability: Capability, call: Call) => {
    const [, model, field] = CAPABILITY_FIELDS[capability]
    return (await fieldsOf.get(model)!(call)).has(field)
  }

  return {
    has,
    async require(call, ...capabilities) {
      const present = await Promise.all(capabilities.map((capability) => has(capability, call)))
      const missing = capabilities.filter((_, i) => !present[i]).map((capability) => CAPABILITY_FIELDS[capability][0])
      if (missing.length > 0)
        throw new UpstreamError('not_configured', `Tryton does not have the module ${[...new Set(missing)].join(', ')}`)
    },
  }
}

/** Returns which of these fields a model has. */
async function readExistingFields(
  rpc: Rpc,
  model: string,
  fields: readonly string[],
  call: Call,
): Promise<Set<string>> {
  try {
    return new Set(Object.keys(await rpc(Fields, `${model}.fields_get`, [fields], call)))
  } catch (error) {
    // Any other failure, such as a rejected login, says nothing about modules.
    if (error instanceof UnknownNameError) return new Set()
    throw error
  }
}
