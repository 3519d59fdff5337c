import type { Offices } from '../../upstream/upstream-registry.ts'

export interface CircuitAt {
  merchant: string
  mode: string
  system: string
}

/** Where a circuit's page is. */
export const wayTo = ({ merchant, mode, system }: CircuitAt): string =>
  `/circuits/${[merchant, mode, system].map(encodeURIComponent).join('/')}`

/** The same; `null` for a source that has no circuit, as an imported one. */
export function circuitWays(offices: Pick<Offices, 'states'>): (at: CircuitAt) => string | null {
  const known = new Set(offices.states().map(wayTo))
  return (at) => (known.has(wayTo(at)) ? wayTo(at) : null)
}
