import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { errors, Pool } from 'undici'
import type { Call } from '../../ports/call.ts'

export interface TransportLimits {
  /** The maximum number of connections to the system. */
  maxSockets: number
  /** A longer response is an error. */
  maxResponseBytes: number
}

export interface Transport extends AsyncDisposable {
  /** Returns a function for got's `request` option. It sends the request and ends it when the signal aborts. */
  exchange(request: TransportRequest): (url: URL, options: object) => Promise<IncomingMessage>
}

export interface TransportRequest {
  body: string | undefined
  /** A longer response is an error, even below the limit of the system. */
  maxBytes: number
  /** Its signal ends the request. */
  call: Call
}

const CONNECT_TIMEOUT_MS = 2_000

interface SentBy {
  method?: string
  headers?: Record<string, string | string[]>
}

/**
 * undici under got. It costs a third of node:http there and keeps its connections, because got ends a node:http request by destroying its
 * socket. undici's own time limits are off: the caller's deadline ends a request through the signal, at any point.
 */
export function createTransport(origin: string, limits: TransportLimits): Transport {
  const pool = new Pool(origin, {
    connections: limits.maxSockets,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: limits.maxResponseBytes,
    connect: { timeout: CONNECT_TIMEOUT_MS },
  })
  return {
    exchange: (request) => (url, options) => exchange(pool, url, options as SentBy, request),
    [Symbol.asyncDispose]: () => pool.destroy(),
  }
}

function exchange(pool: Pool, url: URL, sent: SentBy, { body, maxBytes, call }: TransportRequest) {
  const { signal } = call
  return new Promise<IncomingMessage>((resolve, reject) => {
    let answer: Readable | undefined
    let bytesLeft = maxBytes
    let end = (_reason: Error) => {}
    const onAbort = () => {
      end(signal.reason)
      reject(signal.reason)
    }
    const settled = () => signal.removeEventListener('abort', onAbort)
    signal.addEventListener('abort', onAbort, { once: true })
    const request = {
      path: url.pathname + url.search,
      method: sent.method ?? 'GET',
      headers: sent.headers ?? {},
      body: body ?? null,
    }
    call.onExchange?.('sent')
    pool.dispatch(request as Parameters<Pool['dispatch']>[0], {
      onRequestStart(controller) {
        end = (reason) => controller.abort(reason)
        if (signal.aborted) end(signal.reason)
      },
      onResponseStart(controller, statusCode, headers, statusMessage) {
        if (statusCode < 200) return
        call.onExchange?.('responding')
        answer = new Readable({ read: () => controller.resume() })
        resolve(messageOf(answer, statusCode, headers as IncomingHttpHeaders, statusMessage))
      },
      onResponseData(controller, chunk) {
        bytesLeft -= chunk.length
        if (bytesLeft < 0) return controller.abort(new errors.ResponseExceededMaxSizeError())
        if (!answer!.push(chunk)) controller.pause()
      },
      onResponseEnd() {
        settled()
        answer!.push(null)
      },
      onResponseError(_controller, error) {
        settled()
        if (answer) answer.destroy(error)
        else reject(error)
      },
    })
  })
}

/** The part of node:http's message that got reads. */
function messageOf(
  body: Readable,
  statusCode: number,
  headers: IncomingHttpHeaders,
  statusMessage = '',
): IncomingMessage {
  return Object.assign(body, {
    statusCode,
    headers,
    statusMessage,
    rawHeaders: [],
    complete: true,
  }) as unknown as IncomingMessage
}
