import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface RestartableServer {
  /** The port that it got; the same one again after `close`. */
  open(): Promise<number>
  /** Takes no more connections. `drainMs` is how long those in use may take to end; at 0 they are cut. */
  close(drainMs: number): Promise<void>
}

/** An HTTP server that can be closed and opened again on the port that it first got. Slow and half-open callers are cut. */
export function createRestartableServer(handle: RequestListener, host: string, port: number): RestartableServer {
  const limits = {
    headersTimeout: 10_000,
    requestTimeout: 15_000,
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: 2_000,
  }
  const server = createServer({ ...limits, keepAlive: true, noDelay: true }, handle)
  server.setTimeout(60_000)
  let taken = port
  return {
    open: () =>
      new Promise((resolve, reject) => {
        if (server.listening) return resolve(taken)
        server.once('error', reject)
        server.listen(taken, host, () => {
          server.off('error', reject)
          taken = (server.address() as AddressInfo).port
          resolve(taken)
        })
      }),
    close: (drainMs) =>
      new Promise((resolve) => {
        if (!server.listening) return resolve()
        const cut = drainMs > 0 ? setTimeout(() => server.closeAllConnections(), drainMs) : undefined
        server.close(() => {
          clearTimeout(cut)
          resolve()
        })
        if (drainMs > 0) server.closeIdleConnections()
        else server.closeAllConnections()
      }),
  }
}
