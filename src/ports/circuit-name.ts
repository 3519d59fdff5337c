import type { PortName } from './system.ts'

/** The circuits of a back office: one of each port, and one of the inventory's searches, which take longer than its other calls. */
export type CircuitName = PortName | 'inventory-search'
export const circuitNames: readonly CircuitName[] = [
  'inventory',
  'inventory-search',
  'pricing',
  'accounting',
  'fitment',
]

/** Returns the system that a circuit protects. */
export const toCircuitSystem = (circuit: CircuitName): PortName =>
  circuit === 'inventory-search' ? 'inventory' : circuit

/** Returns the circuits of a system, its own first. */
export const circuitsOf = (system: string): CircuitName[] =>
  circuitNames.filter((circuit) => toCircuitSystem(circuit) === system)
