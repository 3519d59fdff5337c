import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { handleMalformedRequests, rejectMissingHost } from './malformed-requests.ts'

export interface HttpServer extends AsyncDisposable {
  address: string
  port: number
  /** Before it is put away: whoever keeps a connection open is told with each answer to open another, and may. */
  letGo(): void
}

export interface ListenAddress {
  host: string
  port: number
  /** What to change when the port is taken. */
  setting?: string
  /** What to change when there is no such host. */
  hostSetting?: string
  /** Told when connections cannot be taken, once a minute at the most. */
  logger?: { error(why: object, what: string): void }
}

export interface ServerLimits {
  headersTimeout: number
  requestTimeout: number
  keepAliveTimeout: number
  connectionsCheckingInterval: number
  maxHeaderSize: number
  /** Without a byte read or written: a client that does not take its answer. */
  idleTimeout: number
  /** At once: each holds memory. */
  maxConnections: number
  /** What is under way may take that long when it is put away. */
  finishMs: number | undefined
}

/** What a slow or half-open client may take before it is cut. */
const limits: ServerLimits = {
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16_384,
  idleTimeout: 15_000,
  maxConnections: 10_000,
  finishMs: 10_000,
}
const TOLD_EVERY_MS = 60_000
/** A connection that an answer was the last on is closed so soon, while it is put away. */
const SWEEP_MS = 50

export async function startHttpServer(
  handler: RequestListener,
  at: ListenAddress,
  shorter: Partial<ServerLimits> = {},
): Promise<HttpServer> {
  const { finishMs, idleTimeout, maxConnections, ...times } = { ...limits, ...shorter }
  const state = { ending: false }
  const server = createServer({ ...times, requireHostHeader: false }, lastWhenEnding(rejectMissingHost(handler), state))
  server.setTimeout(idleTimeout)
  handleMalformedRequests(server)
  await new Promise<void>((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) => reject(listenFailure(error, at))
    server.once('error', failed)
    server.listen(at.port, at.host, () => {
      server.off('error', failed)
      resolve()
    })
  })
  // What cannot be taken is closed; connections that are open go on.
  const tell = seldom((why: object) => at.logger?.error(why, 'connections cannot be taken'))
  server.maxConnections = maxConnections
  server.on('drop', () => tell({ open: maxConnections }))
  server.on('error', (err) => tell({ err }))
  const { port } = server.address() as AddressInfo
  const host = at.host.includes(':') ? `[${at.host}]` : at.host
  return {
    ...{ address: `http://${host}:${port}`, port },
    letGo() {
      state.ending = true
    },
    [Symbol.asyncDispose]: () => drain(server, state, finishMs),
  }
}

function seldom(tell: (why: object) => void): (why: object) => void {
  let toldAt = Number.NEGATIVE_INFINITY
  return (why) => {
    if (performance.now() - toldAt < TOLD_EVERY_MS) return
    toldAt = performance.now()
    tell(why)
  }
}

function listenFailure(error: NodeJS.ErrnoException, at: ListenAddress): Error {
  const { host, port, setting = 'PORT', hostSetting = 'FORECOURT_HOST, or listen.host,' } = at
  if (error.code === 'EADDRINUSE')
    return new Error(`Port ${port} on ${host} is in use. Stop what uses it, or set ${setting} to another one.`, {
      cause: error,
    })
  if (error.code === 'EACCES')
    return new Error(`Port ${port} may not be used by this account. Set ${setting} to one above 1023.`, {
      cause: error,
    })
  if (error.code === 'EADDRNOTAVAIL' || error.syscall === 'getaddrinfo') {
    const what = error.syscall === 'getaddrinfo' ? `${host} cannot be resolved` : `This machine has no address ${host}`
    return new Error(`${what}. Set ${hostSetting} to an address of this machine.`, { cause: error })
  }
  return error
}

/** While it is put away, each answer says that its connection ends with it. */
function lastWhenEnding(handler: RequestListener, state: { ending: boolean }): RequestListener {
  return (request, response) => {
    if (state.ending) response.shouldKeepAlive = false
    handler(request, response)
  }
}

/** Takes no more connections, lets what is under way finish, and cuts what is left when the time is over. */
async function drain(server: Server, state: { ending: boolean }, finishMs = limits.finishMs): Promise<void> {
  state.ending = true
  const cut = setTimeout(() => server.closeAllConnections(), finishMs)
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  // What was under way as this began may leave its connection open.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS)
  server.closeIdleConnections()
  await closed
  clearInterval(sweep)
  clearTimeout(cut)
}
