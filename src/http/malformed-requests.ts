import type { RequestListener, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { toRequestId } from './request-id.ts'

/** An HTTP error below the router, in the shape of a problem. */
type Rejection = readonly [status: number, title: string, detail: string]

const rejections: Readonly<Record<string, Rejection>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'The request line and headers exceed 16 KiB.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'The request did not arrive in time.'],
}
const malformed: Rejection = [400, 'Bad Request', 'The request is not well-formed HTTP.']
const unsupportedExpectation: Rejection = [417, 'Expectation Failed', 'The only supported expectation is 100-continue.']

/** Responds to what Node could not parse as a request with a problem, and closes the connection. */
export function handleMalformedRequests(
  server: Server,
  limitPipelining: (handler: RequestListener) => RequestListener,
): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!socket.writable || error.code === 'ECONNRESET' || isResponding(socket)) return void socket.destroy()
    const rejection = rejections[error.code ?? ''] ?? malformed
    const { headers, body } = formatRejection(rejection)
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${rejection[0]} ${rejection[1]}\r\n${lines.join('')}\r\n${body}`)
  })
  server.on(
    'checkExpectation',
    limitPipelining((_request, response) => reject(response, unsupportedExpectation)),
  )
}

/** Responds to a request without Host with a problem, instead of Node's bare 400 (`requireHostHeader` is off). */
export function rejectMissingHost(handler: RequestListener): RequestListener {
  return (request, response) =>
    request.headers.host === undefined && request.httpVersion === '1.1'
      ? reject(response, malformed)
      : handler(request, response)
}

/** Returns true while the response to an earlier request on the connection is being sent: writing would corrupt it. */
function isResponding(socket: Duplex & { _httpMessage?: { headersSent: boolean } | null }): boolean {
  return socket._httpMessage?.headersSent === true
}

function reject(response: ServerResponse, rejection: Rejection): void {
  const { headers, body } = formatRejection(rejection)
  response.writeHead(rejection[0], headers).end(body)
}

function formatRejection([status, title, detail]: Rejection) {
  const request_id = toRequestId(undefined)
  const body = JSON.stringify({ type: 'about:blank', title, status, detail, code: 'bad_request', request_id })
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'X-Service-Mode': 'live',
    'X-Request-Id': request_id,
    'Cache-Control': 'no-store',
    Connection: 'close',
  }
  return { headers, body }
}
