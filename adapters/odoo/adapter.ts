import type { Adapter } from '../../src/ports/adapter.ts'
import { connectAccounting } from './accounting-port.ts'
import { createContext } from './context.ts'
import { examine } from './doctor/examine.ts'
import { connectInventory } from './inventory-port.ts'
import { connectPricing } from './pricing-port.ts'
import { readCurrency } from './read-currency.ts'
import { OdooSettings } from './settings.ts'

/** The adapter for Odoo 19 and above over JSON-2, and for Odoo 16 to 18 over `/jsonrpc`. */
export const odoo: Adapter<OdooSettings> = {
  name: 'odoo',
  settings: OdooSettings,
  ports: ['inventory', 'pricing', 'accounting'],
  connect(settings, client, facts, systems) {
    const context = createContext(settings, client, facts, systems)
    return {
      inventory: connectInventory(context),
      pricing: connectPricing(context, systems.includes('accounting')),
      accounting: connectAccounting(context),
    }
  },
  readCurrency,
  examine,
}
