import { type Static, Type } from 'typebox'
import type { Adapter } from '../../src/ports/adapter.ts'
import { connectAccounting } from './accounting-port.ts'
import { examine } from './doctor.ts'
import { createFitmentPort } from './fitment-port.ts'
import { connectInventory } from './inventory-port.ts'
import { connectPricing } from './pricing-port.ts'
import { createProtocolClient } from './protocol-client.ts'

const Settings = Type.Object({
  token: Type.String({ pattern: '^[\\x21-\\x7e]+$', description: 'Sent as `Authorization: Bearer`.' }),
})

export type RestSettings = Static<typeof Settings>

/** The adapter for Forecourt's own HTTP protocol: for back offices without an adapter, and for the embedded one. */
export const rest: Adapter<RestSettings> = {
  name: 'rest',
  settings: Settings,
  ports: ['inventory', 'pricing', 'accounting', 'fitment'],
  connect(settings, client, facts) {
    const protocol = createProtocolClient(client, settings)
    const inventory = connectInventory(protocol, facts)
    return {
      inventory,
      pricing: connectPricing(protocol, facts),
      accounting: connectAccounting(protocol, facts),
      fitment: createFitmentPort(inventory),
    }
  },
  examine,
}
