export interface SystemRequest {
  account?: string
  token?: string
  method?: string
  body?: unknown
  headers?: Record<string, string>
}

/** Sends a request as a client of the upstream protocol does. */
export async function sendRequest(system: { address: string }, path: string, request: SystemRequest = {}) {
  const { account = 'demo', token = 'sandbox', body, method = body === undefined ? 'GET' : 'POST', headers } = request
  const response = await fetch(`${system.address}/${account}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: parseJson(text) }
}

// biome-ignore lint/suspicious/noExplicitAny: tests read responses freely
function parseJson(text: string): any {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
