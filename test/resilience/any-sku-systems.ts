import type { System } from '../../src/ports/system.ts'
import {
  respondJson,
  type ScriptedUpstream,
  startScriptedUpstream,
  type UpstreamScript,
} from '../support/scripted-upstream.ts'
import type { SystemAddresses } from './system-addresses.ts'

const AT = '2026-03-02T12:00:00.000Z'

/** Three systems that know every SKU. */
export interface AnySkuSystems extends AsyncDisposable {
  systems: Record<System, ScriptedUpstream>
  addresses: SystemAddresses
  /** Makes the system respond normally again. */
  restore(system: System): void
}

const skusOf = (body: string): string[] => (JSON.parse(body) as { skus: string[] }).skus

const rows: Record<System, (sku: string) => object> = {
  inventory: (sku) => ({
    sku,
    product: { name: `Product ${sku}`, uom: 'each', media: [], active: true, updated_at: AT },
    stock: { available: 9, expected: [] },
  }),
  pricing: (sku) => ({
    sku,
    amount: '10.00',
    price_type: 'LIST',
    list_amount: '10.00',
    tax_included: false,
    uom: 'each',
    as_of: AT,
  }),
  accounting: (sku) => ({ sku, code: 'GCT', name: 'Tax', rate: '0.15' }),
}

/** Only items are offered: no change feed. */
const notOffered = respondJson({ error: 'not_offered' }, 404)

const scriptOf =
  (system: System): UpstreamScript =>
  (response, received, request) => {
    if (received.body === '') return notOffered(response, received, request)
    respondJson({ data: skusOf(received.body).map(rows[system]) })(response, received, request)
  }

export async function startAnySkuSystems(): Promise<AnySkuSystems> {
  const [inventory, pricing, accounting] = await Promise.all([
    startScriptedUpstream(scriptOf('inventory')),
    startScriptedUpstream(scriptOf('pricing')),
    startScriptedUpstream(scriptOf('accounting')),
  ])
  const systems = { inventory, pricing, accounting }
  return {
    systems,
    addresses: { inventory: inventory.address, pricing: pricing.address, accounting: accounting.address },
    restore(system) {
      systems[system].script = scriptOf(system)
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(Object.values(systems).map((system) => system.close()))
    },
  }
}
