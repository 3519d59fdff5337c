import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { runAsChild } from './run-as-child.ts'

export interface ReceiversInput {
  quick: number
  /** Endpoints that accept a delivery and never respond. */
  hung: number
}
export interface ReceiversReady {
  quick: string[]
  hung: string[]
}
/** When each event first arrived at a quick endpoint, by event and endpoint. */
export type ArrivalTimes = Record<string, number>

/** Webhook endpoints in one process: `POST /<name>`. Arrivals are timed on the clock that all processes share. */
runAsChild(async ({ quick, hung }: ReceiversInput) => {
  let arrivals: ArrivalTimes = {}
  let count = 0
  const server = createServer((req, res) => {
    const endpoint = req.url!.slice(1)
    // Once the head is here, the first byte has arrived.
    if (endpoint.startsWith('quick')) arrivals[`${req.headers['webhook-id']} ${endpoint}`] ??= epochMs()
    req.resume()
    req.once('end', () => {
      if (!endpoint.startsWith('quick')) return
      count += 1
      res.writeHead(204).end()
    })
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const endpointUrls = (name: string, length: number) =>
    Array.from({ length }, (_, index) => `http://127.0.0.1:${port}/${name}-${index}`)
  return {
    ready: { quick: endpointUrls('quick', quick), hung: endpointUrls('hung', hung) } satisfies ReceiversReady,
    answer(message: { take?: boolean }) {
      if (!message.take) return count
      const taken = arrivals
      arrivals = {}
      return taken
    },
  }
})

const epochMs = () => performance.timeOrigin + performance.now()
