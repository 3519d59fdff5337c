/** A call of the API, as the panel “Break something” shows it. */
export interface ObservedCall {
  name: string
  status: number
  /** Support finds the request by it. */
  requestId: string | null
  isComplete: boolean
  ms: number
}

const FAULTS = 'shop-faults'
const MAX_CALLS = 8

export const observedCalls: ObservedCall[] = []

export const readFaults = (): string[] => sessionStorage.getItem(FAULTS)?.split(',').filter(Boolean) ?? []
export const storeFaults = (faults: readonly string[]): void => sessionStorage.setItem(FAULTS, faults.join(','))

/** Sends a request with the simulated faults, and records it. Without the panel, a shop has no need of it. */
export const observedFetch: typeof fetch = async (input, init = {}) => {
  const headers = new Headers(init.headers)
  const faults = readFaults()
  if (faults.length > 0) headers.set('x-sandbox-fault', faults.join(', '))
  const startedAt = performance.now()
  const response = await fetch(input, { ...init, headers })
  const call: ObservedCall = {
    name: `${init.method ?? 'GET'} ${new URL(String(input), location.href).pathname.replace('/shop/account/', '')}`,
    status: response.status,
    requestId: response.headers.get('x-request-id'),
    isComplete: response.headers.get('forecourt-complete') !== 'false',
    ms: Math.round(performance.now() - startedAt),
  }
  // A poll takes the place of the one before it.
  const [last] = observedCalls
  if (last?.name === call.name && last.status === call.status && last.isComplete === call.isComplete)
    observedCalls.shift()
  observedCalls.unshift(call)
  observedCalls.length = Math.min(observedCalls.length, MAX_CALLS)
  dispatchEvent(new Event('shop:call'))
  return response
}
