import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Call } from '../../src/ports/call.ts'

export interface ReceivedRequest {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: string
}

export type UpstreamScript = (response: ServerResponse, seen: ReceivedRequest, request: IncomingMessage) => void

/** A real HTTP server that does what the test says, and remembers what it was asked. */
export interface ScriptedUpstream extends AsyncDisposable {
  address: string
  seen: ReceivedRequest[]
  /** Requests that came and were neither answered nor cut yet. */
  readonly waiting: number
  /** Requests whose caller left before the answer was whole. */
  readonly cut: number
  readonly connections: number
  script: UpstreamScript
  close(): Promise<void>
}

/** Answers every call with this JSON. */
export const respondJson =
  (body: unknown, status = 200, headers: Record<string, string> = {}): UpstreamScript =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

/** Takes the call and never answers. */
export const hang: UpstreamScript = () => {}

/** One script after another; the last goes on. */
export function inSequence(...scripts: UpstreamScript[]): UpstreamScript {
  let at = 0
  return (...call) => scripts[Math.min(at++, scripts.length - 1)]!(...call)
}

export async function startScriptedUpstream(
  script: UpstreamScript = respondJson({ ok: true }),
): Promise<ScriptedUpstream> {
  let waiting = 0
  let cut = 0
  const server = createServer(async (request, response) => {
    waiting += 1
    response.once('close', () => {
      waiting -= 1
      if (!response.writableFinished) cut += 1
    })
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer)
    } catch {
      return
    }
    const { method = '', url: path = '', headers } = request
    const seen = { method, path, headers, body: Buffer.concat(chunks).toString() }
    upstream.seen.push(seen)
    upstream.script(response, seen, request)
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
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  const upstream: ScriptedUpstream = {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: [],
    get waiting() {
      return waiting
    },
    get cut() {
      return cut
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

/** Resolves when it is so; the test's own time limit ends a vain wait. */
export async function untilTrue(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 2))
}

/** A call without a guard: a deadline that the test sets, a signal that it may abort. */
export function callOf(of: { timeoutMs?: number; signal?: AbortSignal; requestId?: string } = {}): Call {
  const { timeoutMs = 5_000, signal = new AbortController().signal, requestId = 'req-1' } = of
  return { signal, requestId, timeoutMs: () => timeoutMs }
}

/** How a promise that should fail does. */
export async function failureOf(promise: Promise<unknown>): Promise<Record<string, unknown> & { message: string }> {
  try {
    await promise
  } catch (error) {
    return error as Record<string, unknown> & { message: string }
  }
  throw new Error('it did not fail')
}
