import type { ServerResponse } from 'node:http'
import { type HttpServer, type ListenAddress, startHttpServer } from '../http/server/server.ts'
import { type Readiness, toReadinessReport } from '../operations/readiness.ts'
import type { StoreMonitor } from '../storage/store-monitor.ts'

export interface MetricsListenerParts {
  /** Returns all metrics as Prometheus text. */
  readMetrics(): Promise<string>
  readiness: Readiness
  store: Pick<StoreMonitor, 'outage'>
}

const SCRAPE_DRAIN_MS = 1_000

/** Serves metrics, `/livez` and `/readyz` on a port that storefronts do not reach: clients of the API cannot delay its probes. */
export function startMetricsListener(address: ListenAddress, parts: MetricsListenerParts): Promise<HttpServer> {
  const { readMetrics, readiness, store } = parts
  return startHttpServer(
    (request, response) => {
      const [path] = request.url!.split('?')
      const { state } = readiness
      if (path === '/livez') return sendJson(response, 200, { status: 'ok' })
      if (path === '/readyz') return sendJson(response, state === 'ready' ? 200 : 503, toReadinessReport(state, store))
      readMetrics().then(
        (body) => response.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4' }).end(body),
        () => response.writeHead(500).end(),
      )
    },
    address,
    { drainTimeoutMs: SCRAPE_DRAIN_MS },
  )
}

const sendJson = (response: ServerResponse, status: number, body: object) =>
  void response
    .writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
    .end(JSON.stringify(body))
