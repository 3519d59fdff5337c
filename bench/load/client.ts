import { Agent, request } from 'node:http'

export interface TimedResponse {
  /** Milliseconds from the moment that the request was meant to leave to the end of its answer. */
  ms: number
  /** When it was meant to leave, on the clock of `performance.now()`. */
  at: number
  status: number
  body: string
}

export interface LoadClient extends Disposable {
  /** `status` 0: no answer. */
  get(path: string, at?: number): Promise<TimedResponse>
}

/** A small client for what wrk cannot do: requests at their own time, and a look into each answer. */
export function createLoadClient(address: string, headers: Record<string, string>, connections: number): LoadClient {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, scheduling: 'lifo' })
  return {
    get: (path, at = performance.now()) =>
      new Promise((resolve) => {
        const end = (status: number, body: string) => resolve({ ms: performance.now() - at, at, status, body })
        const requestScope = request(address + path, { agent, headers, timeout: 10_000 }, (response) => {
          let body = ''
          response.setEncoding('utf8')
          response.on('data', (text: string) => {
            body += text
          })
          response.on('end', () => end(response.statusCode!, body))
          response.on('error', () => end(0, ''))
        })
        requestScope.on('timeout', () => requestScope.destroy())
        requestScope.on('error', () => end(0, ''))
        requestScope.end()
      }),
    [Symbol.dispose]: () => agent.destroy(),
  }
}
