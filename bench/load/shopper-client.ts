import { Agent, request } from 'node:http'

export interface ShopperResponse {
  ms: number
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: a bench reads answers freely
  body: any
}

export interface ShopperClient extends Disposable {
  /** `status` 0: no answer. */
  call(method: string, path: string, token: string, body?: object): Promise<ShopperResponse>
}

/** A storefront's server: calls with a secret key, for one shopper after another. */
export function createShopperClient(address: string, secretKey: string, connections: number): ShopperClient {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const authorization = `Bearer ${secretKey}`
  return {
    call: (method, path, token, body) =>
      new Promise((resolve) => {
        const startedAt = performance.now()
        const end = (status: number, text: string) => {
          resolve({ ms: performance.now() - startedAt, status, body: text === '' ? null : JSON.parse(text) })
        }
        const bytes = body && JSON.stringify(body)
        const headers = {
          ...{ authorization, 'x-storefront-shopper-token': token },
          ...(bytes && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(bytes) }),
        }
        const requestScope = request(address + path, { agent, method, headers, timeout: 20_000 }, (response) => {
          let text = ''
          response.setEncoding('utf8')
          response.on('data', (chunk: string) => {
            text += chunk
          })
          response.on('end', () => end(response.statusCode!, text))
          response.on('error', () => end(0, ''))
        })
        requestScope.on('timeout', () => requestScope.destroy())
        requestScope.on('error', () => end(0, ''))
        requestScope.end(bytes)
      }),
    [Symbol.dispose]: () => agent.destroy(),
  }
}
