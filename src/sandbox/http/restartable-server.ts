import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface RestartableServer {
  /** Resolves to the port; the same one again after `close`. */
  open(): Promise<number>
  /** Stops listening. `drainMs`: how long open connections may continue; 0 cuts them. */
  close(drainMs: number): Promise<void>
}

/** An HTTP server that can be closed and opened again on the same port. It cuts slow and half-open connections. */
export function createRestartableServer(handle: RequestListener, host: string, port: number): RestartableServer {
  const limits = {
    headersTimeout: 10_000,
    requestTimeout: 15_000,
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: 2_000,
  }
  const server = createServer({ ...limits, keepAlive: true, noDelay: true }, handle)
  server.setTimeout(60_000)
  let currentPort = port
  return {
    open: () =>
      new Promise((resolve, reject) => {
        if (server.listening) return resolve(currentPort)
        server.once('error', reject)
        server.listen(currentPort, host, () => {
          server.off('error', reject)
          currentPort = (server.address() as AddressInfo).port
          resolve(currentPort)
        })
      }),
    close: (drainMs) =>
      new Promise((resolve) => {
        if (!server.listening) return resolve()
        const drainTimer = drainMs > 0 ? setTimeout(() => server.closeAllConnections(), drainMs) : undefined
        server.close(() => {
          clearTimeout(drainTimer)
          resolve()
        })
        if (drainMs > 0) server.closeIdleConnections()
        else server.closeAllConnections()
      }),
  }
}
