import type { Adapter } from '../../src/ports/adapter.ts'
import { connectAccounting } from './accounting-port.ts'
import { createContext } from './context.ts'
import { examine } from './doctor/examine.ts'
import { connectInventory } from './inventory-port.ts'
import { connectPricing } from './pricing-port.ts'
import { TrytonSettings } from './settings.ts'

/** The adapter for Tryton 6.0 to 8.2 over JSON-RPC: catalog, stock, prices, taxes, customers, credit, orders, invoices and their changes. */
export const tryton: Adapter<TrytonSettings> = {
  name: 'tryton',
  settings: TrytonSettings,
  ports: ['inventory', 'pricing', 'accounting'],
  connect(settings, client, facts) {
    const context = createContext(settings, client, facts)
    return {
      inventory: connectInventory(context),
      pricing: connectPricing(context),
      accounting: connectAccounting(context),
    }
  },
  examine,
}
