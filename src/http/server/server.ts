import { createServer, type RequestListener, Server, type ServerOptions } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { throttleLog } from '../../lifecycle/log-throttle.ts'
import { waitUpTo } from '../../lifecycle/wait-up-to.ts'
import type { Mode } from '../../tenant.ts'
import {
  type ConnectionLimit,
  type ConnectionLimits,
  createConnectionLimit,
  readConnectionCapacity,
} from './connection-limits.ts'
import { handleMalformedRequests, rejectMalformedHead } from './malformed-requests.ts'
import { createPipelining } from './pipelining-limit.ts'
import type { TlsCertificate } from './tls-certificate.ts'

export interface HttpServer extends AsyncDisposable {
  address: string
  port: number
  /** Closes each connection with its next response, so that clients reconnect elsewhere before the server shuts down. */
  stopKeepAlive(): void
  /**
   * Stops accepting connections, because others accept them now. Closes each open connection with its next response. Idle connections stay
   * open for `idleMs`, so that a request that arrives at this moment gets its response.
   */
  handOver(idleMs: number): Promise<void>
}

export interface ListenAddress {
  host: string
  port: number
  /** Named in the error when the port is in use. */
  portSetting?: string
  /** Named in the error when the host is not an address of this machine. */
  hostSetting?: string
  /** Notified when connections cannot be accepted, once a minute at most. */
  logger?: { error(fields: object, message: string): void }
  /** Called with each new connection, before its first request. */
  onConnection?: (socket: Socket) => void
  /** The mode of responses to what is no HTTP request. Absent: live. */
  mode?: Mode | undefined
  /** Absent: plain HTTP. */
  tls?: TlsCertificate | undefined
}

/** Limits for slow, half-open or too many clients. Names without a unit are Node's own, in milliseconds. */
export interface ServerLimits {
  headersTimeout: number
  requestTimeout: number
  keepAliveTimeout: number
  connectionsCheckingInterval: number
  maxHeaderSize: number
  /** The time without a byte read or written after which a connection is closed. A shorter one than that of a late request is raised: its 408 would not be sent. */
  idleTimeoutMs: number
  /** Each open connection holds memory. A new one takes the place of idle ones. */
  maxConnections: number
  /** The memory for responses that clients do not read, on all connections together. */
  maxUnreadBytes: number
  /** The time that open requests may take to finish during shutdown. */
  drainTimeoutMs: number | undefined
}

type RequestLimits = Pick<ServerLimits, 'headersTimeout' | 'requestTimeout' | 'connectionsCheckingInterval'>

const defaultLimits: ServerLimits = {
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16_384,
  idleTimeoutMs: 25_000,
  maxConnections: Math.min(10_000, readConnectionCapacity()),
  maxUnreadBytes: 32 * 1_024 * 1_024,
  drainTimeoutMs: 10_000,
}
/** How often connections that became idle during shutdown are closed. */
const IDLE_SWEEP_MS = 50
const CONNECTION_SWEEP_MS = 500

interface ServerState {
  isEnding: boolean
  /** Resolves when the server has closed, once it no longer accepts connections. */
  closed?: Promise<void>
}

export async function startHttpServer(
  handler: RequestListener,
  address: ListenAddress,
  overrides: Partial<ServerLimits> = {},
): Promise<HttpServer> {
  const { drainTimeoutMs, idleTimeoutMs, maxConnections, maxUnreadBytes, ...nodeLimits } = {
    ...defaultLimits,
    ...overrides,
  }
  const state: ServerState = { isEnding: false }
  const pipelining = createPipelining()
  const listener = pipelining.limit(closeWhenEnding(rejectMalformedHead(handler, address.mode), state))
  const server = createPlainOrTlsServer({ ...nodeLimits, requireHostHeader: false }, listener, address.tls)
  server.setTimeout(Math.max(idleTimeoutMs, longestRequestMs(nodeLimits)))
  if (address.onConnection) server.on(address.tls ? 'secureConnection' : 'connection', address.onConnection)
  handleMalformedRequests(server, pipelining, nodeLimits.requestTimeout, address.mode)
  await listen(server, address)
  const connections = limitConnections(server, { maxConnections, maxUnreadBytes }, address.logger)
  const { port } = server.address() as AddressInfo
  const host = address.host.includes(':') ? `[${address.host}]` : address.host
  return {
    address: `${address.tls ? 'https' : 'http'}://${host}:${port}`,
    port,
    stopKeepAlive() {
      state.isEnding = true
    },
    async handOver(idleMs) {
      const closed = stopAccepting(server, state, () => {})
      await waitUpTo(idleMs, closed)
    },
    [Symbol.asyncDispose]: () => drain(server, connections, state, drainTimeoutMs),
  }
}

/** The time after which a late request has certainly got its 408. Node looks for late requests at intervals. */
const longestRequestMs = ({ headersTimeout, requestTimeout, connectionsCheckingInterval }: RequestLimits) =>
  Math.max(headersTimeout, requestTimeout) + 2 * connectionsCheckingInterval

function createPlainOrTlsServer(options: ServerOptions, listener: RequestListener, tls: TlsCertificate | undefined) {
  if (!tls) return createServer(options, listener)
  const handshakeTimeout = options.headersTimeout!
  const server = createTlsServer({ ...options, ...tls.options, handshakeTimeout }, listener)
  tls.follow(server)
  return server as Server
}

function listen(server: Server, address: ListenAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException) => reject(toListenError(error, address))
    server.once('error', onError)
    server.listen(address.port, address.host, () => {
      server.off('error', onError)
      resolve()
    })
  })
}

function limitConnections(server: Server, limits: ConnectionLimits, logger: ListenAddress['logger']): ConnectionLimit {
  const limit = createConnectionLimit(limits)
  const log = throttleLog((fields: object) => logger?.error(fields, 'connections cannot be accepted'), {
    now: () => performance.now(),
  })
  server.on('connection', (socket) => limit.admit(socket) || log({ open: limits.maxConnections }))
  server.on('secureConnection', (socket) => limit.followSecure(socket))
  const sweep = setInterval(() => limit.sweep(), CONNECTION_SWEEP_MS).unref()
  server.once('close', () => clearInterval(sweep))
  server.on('error', (err) => log({ err }))
  return limit
}

function toListenError(error: NodeJS.ErrnoException, address: ListenAddress): Error {
  const { host, port, portSetting = 'PORT', hostSetting = 'FORECOURT_HOST or listen.host' } = address
  if (error.code === 'EADDRINUSE')
    return new Error(
      `Port ${port} on ${host} is in use. Stop the program that uses it, or set ${portSetting} to another port.`,
      {
        cause: error,
      },
    )
  if (error.code === 'EACCES')
    return new Error(`This user may not listen on port ${port}. Set ${portSetting} to a port above 1023.`, {
      cause: error,
    })
  if (error.code === 'EADDRNOTAVAIL' || error.syscall === 'getaddrinfo') {
    const problem =
      error.syscall === 'getaddrinfo' ? `${host} cannot be resolved` : `This machine has no address ${host}`
    return new Error(`${problem}. Set ${hostSetting} to an address of this machine.`, { cause: error })
  }
  return error
}

function closeWhenEnding(handler: RequestListener, state: ServerState): RequestListener {
  return (request, response) => {
    if (state.isEnding) response.shouldKeepAlive = false
    handler(request, response)
  }
}

/** Stops accepting connections, lets open requests finish and clients read their responses, and closes what is still open after the timeout. */
async function drain(
  server: Server,
  connections: ConnectionLimit,
  state: ServerState,
  timeoutMs = defaultLimits.drainTimeoutMs,
): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), timeoutMs)
  // To Node, a connection is idle once its response has ended, even if most of it is still to be sent.
  const closeIdle = () => connections.protectUnread(Server.prototype.closeIdleConnections.bind(server))
  const closed = stopAccepting(server, state, closeIdle)
  // Responses that were already being sent may leave their connection open.
  const sweep = setInterval(closeIdle, IDLE_SWEEP_MS)
  await closed
  clearInterval(sweep)
  clearTimeout(timer)
}

/** `closeIdle` runs at once, unless the server has stopped before. Resolves when no connection is open any more. */
function stopAccepting(server: Server, state: ServerState, closeIdle: () => void): Promise<void> {
  state.isEnding = true
  server.closeIdleConnections = closeIdle
  state.closed ??= new Promise((resolve) => server.close(() => resolve()))
  return state.closed
}
