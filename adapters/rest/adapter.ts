import { type Static, Type } from 'typebox'
import type { Adapter } from '../../src/ports/adapter.ts'
import { connectAccounting } from './accounting.ts'
import { examine } from './doctor.ts'
import { connectFitment } from './fitment.ts'
import { connectInventory } from './inventory.ts'
import { connectPricing } from './pricing.ts'

const Settings = Type.Object({
  token: Type.String({ pattern: '^[\\x21-\\x7e]+$', description: 'Sent as `Authorization: Bearer`.' }),
})

export type RestSettings = Static<typeof Settings>

/** The adapter for Forecourt's own HTTP protocol: for back offices without an adapter, and for the embedded one. */
export const rest: Adapter<RestSettings> = {
  name: 'rest',
  settings: Settings,
  inventory: connectInventory,
  pricing: connectPricing,
  accounting: connectAccounting,
  examine,
  fitment: connectFitment,
}
