import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerMalformed, withHost } from './http/malformed.ts'

export interface Listening extends AsyncDisposable {
  address: string
  port: number
}

export interface ListenAt {
  host: string
  port: number
  /** What to change when the port is taken. */
  setting?: string
}

export interface ServerLimits {
  headersTimeout: number
  requestTimeout: number
  keepAliveTimeout: number
  connectionsCheckingInterval: number
  maxHeaderSize: number
  /** Without a byte read or written: a client that does not take its answer. */
  idleTimeout: number
}

/** What a slow or half-open client may take before it is cut. */
const limits: ServerLimits = {
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16_384,
  idleTimeout: 15_000,
}
const DRAIN_MS = 10_000

export async function listen(
  handler: RequestListener,
  at: ListenAt,
  shorter: Partial<ServerLimits> = {},
): Promise<Listening> {
  const server = createServer({ ...limits, ...shorter, requireHostHeader: false }, withHost(handler))
  server.setTimeout(shorter.idleTimeout ?? limits.idleTimeout)
  answerMalformed(server)
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenFailure(error, at)))
    server.listen(at.port, at.host, resolve)
  })
  const { port } = server.address() as AddressInfo
  const host = at.host.includes(':') ? `[${at.host}]` : at.host
  return { address: `http://${host}:${port}`, port, [Symbol.asyncDispose]: () => drain(server) }
}

function listenFailure(error: NodeJS.ErrnoException, { host, port, setting = 'PORT' }: ListenAt): Error {
  if (error.code === 'EADDRINUSE')
    return new Error(`Port ${port} on ${host} is in use. Stop what uses it, or set ${setting} to another one.`, {
      cause: error,
    })
  if (error.code === 'EACCES')
    return new Error(`Port ${port} may not be used by this account. Set ${setting} to one above 1023.`, {
      cause: error,
    })
  if (error.code === 'EADDRNOTAVAIL')
    return new Error(`This machine has no address ${host}. Set FORECOURT_HOST, or listen.host, to one that it has.`, {
      cause: error,
    })
  return error
}

/** Takes no more connections, lets what is under way finish, and cuts what is left when the time is over. */
async function drain(server: Server): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  await closed
  clearTimeout(cut)
}
