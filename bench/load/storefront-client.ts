import { Agent, request } from 'node:http'

export interface ShopperResponse {
  ms: number
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: the bench reads responses without schemas
  body: any
}

export interface StorefrontClient extends Disposable {
  /** `status` is 0 without a response. */
  call(method: string, path: string, token: string, body?: object): Promise<ShopperResponse>
}

/** A client that calls as a storefront's server does: with a secret key, for several shoppers. */
export function createStorefrontClient(address: string, secretKey: string, connections: number): StorefrontClient {
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
          authorization,
          'x-storefront-shopper-token': token,
          ...(bytes && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(bytes) }),
        }
        const req = request(address + path, { agent, method, headers, timeout: 20_000 }, (response) => {
          let text = ''
          response.setEncoding('utf8')
          response.on('data', (chunk: string) => {
            text += chunk
          })
          response.on('end', () => end(response.statusCode!, text))
          response.on('error', () => end(0, ''))
        })
        req.on('timeout', () => req.destroy())
        req.on('error', () => end(0, ''))
        req.end(bytes)
      }),
    [Symbol.dispose]: () => agent.destroy(),
  }
}
