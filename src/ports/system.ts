/** The three systems of a back office. Several of them may be the same program. */
export type System = 'inventory' | 'pricing' | 'accounting'
export const systems: readonly System[] = ['inventory', 'pricing', 'accounting']

/** The ports of a back office: vehicle fitment may come from a separate source. */
export type PortName = System | 'fitment'
export const portNames: readonly PortName[] = [...systems, 'fitment']

/** Where a section comes from: a port, or the references that Forecourt stores itself. */
export type SourceName = PortName | 'references'
export const sourceNames: readonly SourceName[] = [...portNames, 'references']

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
