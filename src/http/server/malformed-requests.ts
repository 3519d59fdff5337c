import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Mode } from '../../tenant.ts'
import { toRequestId } from '../request-id.ts'
import { extendRequestTimeout } from './extend-request-timeout.ts'
import type { Pipelining } from './pipelining-limit.ts'

/** The `code` of every error below the router. */
export const MALFORMED_REQUEST_CODE = 'bad_request'

/** An HTTP error below the router, in the shape of a problem. */
type Rejection = readonly [status: number, title: string, detail: string]

const rejections: Readonly<Record<string, Rejection>> = {
  HPE_HEADER_OVERFLOW: [
    431,
    'Request Header Fields Too Large',
    'The request line and headers exceed 16 KiB. Send fewer or shorter headers, or a shorter URL.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'The request did not arrive in time.'],
}
const malformed: Rejection = [400, 'Bad Request', 'The request is not well-formed HTTP.']
const unsupportedExpectation: Rejection = [417, 'Expectation Failed', 'The only supported expectation is 100-continue.']
/** The Origin may not have been parsed. Any page may read these responses, because they reveal nothing about a merchant or a key. */
const PAGE_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'X-Service-Mode, X-Request-Id',
}
/** How long a client may take to read the rejection of its connection. */
const LINGER_MS = 1_000

/**
 * Responds with a problem to bytes that Node could not parse as a request, and closes the connection. Requests that arrived earlier are
 * processed, so their responses are sent first.
 */
export function handleMalformedRequests(
  server: Server,
  pipelining: Pipelining,
  requestTimeoutMs: number,
  mode: Mode = 'live',
): void {
  function onError(error: NodeJS.ErrnoException, socket: Socket): void {
    const isTimeout = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy()
    else if (
      isTimeout &&
      extendRequestTimeout(pipelining.pipelineOf(socket), requestTimeoutMs, () => onError(error, socket))
    )
      return
    else pipelining.finish(socket, () => endWithRejection(socket, rejections[error.code ?? ''] ?? malformed, mode))
  }
  server.on('clientError', onError as (error: Error, socket: Duplex) => void)
  server.on(
    'checkExpectation',
    pipelining.limit((_request, response) => reject(response, unsupportedExpectation, mode)),
  )
}

function endWithRejection(socket: Socket, rejection: Rejection, mode: Mode): void {
  if (!socket.writable || isResponding(socket)) return void socket.destroy()
  const { headers, body } = formatRejection(rejection, mode)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${rejection[0]} ${rejection[1]}\r\n${lines.join('')}\r\n${body}`)
  // Nothing is read from it any more, so the end that the client sends never arrives.
  socket.setTimeout(LINGER_MS)
}

/**
 * Responds with a problem to a request without Host, instead of Node's bare 400 (`requireHostHeader` is off), and to what Node passes on: two
 * Hosts, of which a proxy may have read the other, and a target that is no URL (`GET http://[::/`).
 */
export function rejectMalformedHead(handler: RequestListener, mode: Mode = 'live'): RequestListener {
  return (request, response) =>
    isMalformedHost(request) || isMalformedTarget(request.url!)
      ? reject(response, malformed, mode)
      : handler(request, response)
}

/** RFC 9112, 3.2: a request has one Host; in HTTP/1.0, one at most. */
function isMalformedHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count > 1 || (count === 0 && httpVersion === '1.1')
}

/** RFC 9112, 3.2: a target is a path, `*`, or an absolute URL. */
const isMalformedTarget = (target: string) => target[0] !== '/' && target !== '*' && !URL.canParse(target)

/** Returns true while the response to an earlier request on the connection is being sent: writing would corrupt it. */
function isResponding(socket: Duplex & { _httpMessage?: { headersSent: boolean } | null }): boolean {
  return socket._httpMessage?.headersSent === true
}

function reject(response: ServerResponse, rejection: Rejection, mode: Mode): void {
  const { headers, body } = formatRejection(rejection, mode)
  response.writeHead(rejection[0], headers).end(body)
}

function formatRejection([status, title, detail]: Rejection, mode: Mode) {
  const request_id = toRequestId(undefined)
  const body = JSON.stringify({ type: 'about:blank', title, status, detail, code: MALFORMED_REQUEST_CODE, request_id })
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'X-Service-Mode': mode,
    'X-Request-Id': request_id,
    'Cache-Control': 'no-store',
    ...PAGE_HEADERS,
    Connection: 'close',
  }
  return { headers, body }
}
