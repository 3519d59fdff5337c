import type { UpstreamRegistry } from '../../upstream/upstream-registry.ts'

/** The path of the page of a circuit, for the router. */
export const CIRCUIT_PATH = '/circuits/:merchant/:mode/:circuit'

export interface CircuitPathParams {
  merchant: string
  mode: string
  circuit: string
}

/** Returns the path of a circuit's page. */
export const toCircuitPath = ({ merchant, mode, circuit }: CircuitPathParams): string =>
  `/circuits/${[merchant, mode, circuit].map(encodeURIComponent).join('/')}`

/** Returns a lookup of circuit pages. It returns `null` for a source without a circuit, such as imported fitment. */
export function createCircuitPathLookup(
  upstreams: Pick<UpstreamRegistry, 'states'>,
): (params: CircuitPathParams) => string | null {
  const paths = new Set(upstreams.states().map(toCircuitPath))
  return (params) => {
    const path = toCircuitPath(params)
    return paths.has(path) ? path : null
  }
}
