import type { UpstreamRegistry } from '../../upstream/upstream-registry.ts'

export interface CircuitPathParams {
  merchant: string
  mode: string
  system: string
}

/** Where a circuit's page is. */
export const toCircuitPath = ({ merchant, mode, system }: CircuitPathParams): string =>
  `/circuits/${[merchant, mode, system].map(encodeURIComponent).join('/')}`

/** The same; `null` for a source that has no circuit, as an imported one. */
export function createCircuitPathLookup(
  upstreams: Pick<UpstreamRegistry, 'states'>,
): (at: CircuitPathParams) => string | null {
  const known = new Set(upstreams.states().map(toCircuitPath))
  return (at) => (known.has(toCircuitPath(at)) ? toCircuitPath(at) : null)
}
