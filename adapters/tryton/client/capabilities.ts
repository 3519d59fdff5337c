import { Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/response-schema.ts'
import type { Rpc } from './rpc.ts'
import { UnknownNameError } from './rpc-errors.ts'
import { createCachedLoader } from './shared-load.ts'

const Fields = responseSchema(Type.Record(Type.String(), Type.Unknown()))

/** Each with the module that brings it, and the model and field by which it is known to be there. */
const known = {
  orders: ['sale', 'sale.sale', 'number'],
  invoices: ['account_invoice', 'account.invoice', 'amount_to_pay'],
  shipments: ['sale', 'stock.shipment.out', 'number'],
  /** Its `web_id` is the one place of a sale that the database keeps unique. */
  webOrders: ['web_shop', 'sale.sale', 'web_id'],
  priceLists: ['sale_price_list', 'party.party', 'sale_price_list'],
  secondaryUnits: ['sale_secondary_unit', 'product.template', 'sale_secondary_uom'],
  creditLimits: ['account_credit_limit', 'party.party', 'credit_limit_amount'],
  promotions: ['sale_promotion', 'sale.promotion', 'formula'],
  coupons: ['sale_promotion_coupon', 'sale.sale', 'coupons'],
} as const

export type Capability = keyof typeof known

export interface Capabilities {
  has(ability: Capability, call: Call): Promise<boolean>
  /** Rejects with 'not_configured' where a module is missing. */
  need(call: Call, ...abilities: Capability[]): Promise<void>
}

/** What a server's modules allow: found out once for each model that is asked about, and again after ten minutes, because a module may be installed. */
export function createCapabilities(rpc: Rpc, now: () => number): Capabilities {
  const byModel = Map.groupBy(Object.values(known), ([, model]) => model)
  const fieldsOf = new Map(
    [...byModel].map(([model, own]) => {
      const fields = own.map(([, , field]) => field)
      return [
        model,
        createCachedLoader((call) => thereOf(rpc, model, fields, call), { maxAgeMs: 600_000, now }),
      ] as const
    }),
  )
  const has = async (ability: Capability, call: Call) => {
    const [, model, field] = known[ability]
    return (await fieldsOf.get(model)!(call)).has(field)
  }

  return {
    has,
    async need(call, ...abilities) {
      const found = await Promise.all(abilities.map((ability) => has(ability, call)))
      const missing = abilities.filter((_, i) => !found[i]).map((ability) => known[ability][0])
      if (missing.length > 0)
        throw new UpstreamError('not_configured', `Tryton lacks the module ${[...new Set(missing)].join(', ')}`)
    },
  }
}

/** Those of some fields that a model has. */
async function thereOf(rpc: Rpc, model: string, fields: readonly string[], call: Call): Promise<Set<string>> {
  try {
    return new Set(Object.keys(await rpc(Fields, `${model}.fields_get`, [fields], call)))
  } catch (error) {
    // Whatever else is refused, a login perhaps, says nothing about modules.
    if (error instanceof UnknownNameError) return new Set()
    throw error
  }
}
