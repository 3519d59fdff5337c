import { Agent, request } from 'node:http'

export interface TimedResponse {
  /** Milliseconds from when the request was due to the end of the response. */
  ms: number
  /** When the request was due, as a time of `performance.now()`. */
  at: number
  status: number
  body: string
}

export interface LoadClient extends Disposable {
  /** `status` is 0 without a response. */
  get(path: string, at?: number): Promise<TimedResponse>
}

/** An HTTP client for what wrk cannot do: requests at given times, with access to each response. */
export function createLoadClient(address: string, headers: Record<string, string>, connections: number): LoadClient {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, scheduling: 'lifo' })
  return {
    get: (path, at = performance.now()) =>
      new Promise((resolve) => {
        const end = (status: number, body: string) => resolve({ ms: performance.now() - at, at, status, body })
        const req = request(address + path, { agent, headers, timeout: 10_000 }, (response) => {
          let body = ''
          response.setEncoding('utf8')
          response.on('data', (text: string) => {
            body += text
          })
          response.on('end', () => end(response.statusCode!, body))
          response.on('error', () => end(0, ''))
        })
        req.on('timeout', () => req.destroy())
        req.on('error', () => end(0, ''))
        req.end()
      }),
    [Symbol.dispose]: () => agent.destroy(),
  }
}
