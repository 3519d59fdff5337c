import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { runAsChild } from './child-process.ts'

export interface ReceiversInput {
  quick: number
  /** Endpoints that take a delivery and never answer. */
  hung: number
}
export interface ReceiversReady {
  quick: string[]
  hung: string[]
}
/** When each event first arrived at a quick endpoint, by event and endpoint. */
export type ArrivalTimes = Record<string, number>

/** Webhook endpoints in one process: `POST /<name>`; each arrival is noted with the clock that all processes share. */
runAsChild(async ({ quick, hung }: ReceiversInput) => {
  let arrivals: ArrivalTimes = {}
  let count = 0
  const server = createServer((req, res) => {
    const endpoint = req.url!.slice(1)
    // When the head is here, the first byte was.
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
  const named = (name: string, many: number) =>
    Array.from({ length: many }, (_, at) => `http://127.0.0.1:${port}/${name}-${at}`)
  return {
    ready: { quick: named('quick', quick), hung: named('hung', hung) } satisfies ReceiversReady,
    answer(asked: { take?: boolean }) {
      if (!asked.take) return count
      const taken = arrivals
      arrivals = {}
      return taken
    },
  }
})

const epochMs = () => performance.timeOrigin + performance.now()
