import { type Static, Type } from 'typebox'
import type { Adapter } from '../../src/ports/adapter.ts'
import { connectAccounting } from './accounting-port.ts'
import { examine } from './examine.ts'
import { createFitmentPort } from './fitment-port.ts'
import { connectInventory } from './inventory-port.ts'
import { connectPricing } from './pricing-port.ts'
import { createProtocolClient } from './protocol-client.ts'

const Settings = Type.Object({
  token: Type.String({ pattern: '^[\\x21-\\x7e]+$', description: 'Sent as `Authorization: Bearer`.' }),
  credit_reservation: Type.Optional(
    Type.Object(
      {
        exposure_delay_seconds: Type.Integer({
          minimum: 0,
          maximum: 86_400,
          description:
            'For how long the credit that the system returns may lack an order that it has accepted; 0 if it never does',
        }),
      },
      {
        additionalProperties: false,
        description:
          'For an accounting system that does not check the credit limit when it takes an order: Forecourt reserves the credit of each order',
      },
    ),
  ),
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
      accounting: connectAccounting(protocol, facts, settings),
      fitment: createFitmentPort(inventory),
    }
  },
  examine,
}
