import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedRequest {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: string
}

export type UpstreamScript = (response: ServerResponse, received: ReceivedRequest, request: IncomingMessage) => void

/** A real HTTP server that follows a script and records the requests. */
export interface ScriptedUpstream extends AsyncDisposable {
  address: string
  requests: ReceivedRequest[]
  /** Number of requests that are neither answered nor aborted yet. */
  readonly pending: number
  /** Number of requests whose caller disconnected before the response was complete. */
  readonly aborted: number
  readonly connections: number
  script: UpstreamScript
  close(): Promise<void>
}

/** Responds to every request with this JSON. */
export const respondJson =
  (body: unknown, status = 200, headers: Record<string, string> = {}): UpstreamScript =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

/** Accepts the request and never responds. */
export const hang: UpstreamScript = () => {}

/** Runs one script per request; the last one is repeated. */
export function inSequence(...scripts: UpstreamScript[]): UpstreamScript {
  let next = 0
  return (...args) => scripts[Math.min(next++, scripts.length - 1)]!(...args)
}

export async function startScriptedUpstream(
  script: UpstreamScript = respondJson({ ok: true }),
): Promise<ScriptedUpstream> {
  let pending = 0
  let aborted = 0
  const server = createServer(async (request, response) => {
    pending += 1
    response.once('close', () => {
      pending -= 1
      if (!response.writableFinished) aborted += 1
    })
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer)
    } catch {
      return
    }
    const { method = '', url: path = '', headers } = request
    const received = { method, path, headers, body: Buffer.concat(chunks).toString() }
    upstream.requests.push(received)
    upstream.script(response, received, request)
  })
  const sockets = new Set<object>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  async function close(): Promise<void> {
    if (!server.listening) return
    const closing = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closing
  }
  const upstream: ScriptedUpstream = {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    get pending() {
      return pending
    },
    get aborted() {
      return aborted
    },
    get connections() {
      return sockets.size
    },
    script,
    close,
    [Symbol.asyncDispose]: close,
  }
  return upstream
}
