import type { Adapter } from '../../src/ports/adapter.ts'
import { accounting } from './accounting.ts'
import { examine } from './doctor/examine.ts'
import { inventory } from './inventory.ts'
import { pricing } from './pricing.ts'
import { TrytonSettings } from './settings.ts'

/** Tryton 6.0 over its JSON-RPC: catalog, stock, prices, taxes, customers, credit, orders, invoices and what changes of them. */
export const tryton: Adapter<TrytonSettings> = {
  name: 'tryton',
  settings: TrytonSettings,
  inventory,
  pricing,
  accounting,
  examine,
}
