import type { Call } from '../../../../src/ports/call.ts'
import type { Whole } from '../requirement.ts'

export interface Mistake {
  /** What a hasty adapter does. */
  mistake: string
  /** Words of the duty that must not pass over it, and what that is of. */
  duty: [of: string, what: string]
  spoil(ports: Whole): Whole
}

export const inventory = (change: (port: Whole['inventory']) => Partial<Whole['inventory']>) => (ports: Whole) => ({
  ...{ ...ports, inventory: { ...ports.inventory, ...change(ports.inventory) } },
})
export const pricing = (change: (port: Whole['pricing']) => Partial<Whole['pricing']>) => (ports: Whole) => ({
  ...{ ...ports, pricing: { ...ports.pricing, ...change(ports.pricing) } },
})
export const accounting = (change: (port: Whole['accounting']) => Partial<Whole['accounting']>) => (ports: Whole) => ({
  ...{ ...ports, accounting: { ...ports.accounting, ...change(ports.accounting) } },
})
export const deaf = (call: Call): Call => ({ ...call, signal: new AbortController().signal })
