import type { Call } from '../../../../src/ports/call.ts'
import type { CompletePorts } from '../test-bench.ts'

export interface Mutant {
  /** The mistake of the adapter. */
  mistake: string
  /** The requirement that must fail: its group, and words of its title. */
  requirement: [of: string, what: string]
  mutate(ports: CompletePorts): CompletePorts
}

export const mutateInventory =
  (change: (port: CompletePorts['inventory']) => Partial<CompletePorts['inventory']>) => (ports: CompletePorts) => ({
    ...ports,
    inventory: { ...ports.inventory, ...change(ports.inventory) },
  })
export const mutatePricing =
  (change: (port: CompletePorts['pricing']) => Partial<CompletePorts['pricing']>) => (ports: CompletePorts) => ({
    ...ports,
    pricing: { ...ports.pricing, ...change(ports.pricing) },
  })
export const mutateAccounting =
  (change: (port: CompletePorts['accounting']) => Partial<CompletePorts['accounting']>) => (ports: CompletePorts) => ({
    ...ports,
    accounting: { ...ports.accounting, ...change(ports.accounting) },
  })
export const withoutAbort = (call: Call): Call => ({ ...call, signal: new AbortController().signal })
