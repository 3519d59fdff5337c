import type { RequestListener, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { toRequestId } from './request-id.ts'

type Refusal = readonly [status: number, title: string, detail: string]

const answers: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: [
    431,
    'Request Header Fields Too Large',
    'The request line and its headers are larger than 16 KiB.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'The request did not arrive in time.'],
}
const malformed: Refusal = [400, 'Bad Request', 'The request is not well-formed HTTP.']
const unexpected: Refusal = [417, 'Expectation Failed', 'The only expectation that is met is 100-continue.']

/** What never became a request still gets an answer in the shape of all others, and its connection is closed. */
export function handleMalformedRequests(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!socket.writable || error.code === 'ECONNRESET' || isAnswering(socket)) return void socket.destroy()
    const refusal = answers[error.code ?? ''] ?? malformed
    const { headers, body } = answerOf(refusal)
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${refusal[0]} ${refusal[1]}\r\n${lines.join('')}\r\n${body}`)
  })
  server.on('checkExpectation', (_request, response: ServerResponse) => refuse(response, unexpected))
}

/** Node, left to itself, refuses a request without Host with a bare 400: here it is asked not to (`requireHostHeader`). */
export function rejectMissingHost(handler: RequestListener): RequestListener {
  return (request, response) =>
    request.headers.host === undefined && request.httpVersion === '1.1'
      ? refuse(response, malformed)
      : handler(request, response)
}

/** An answer to an earlier request of the same connection is half sent: nothing may be written into it. */
function isAnswering(socket: Duplex & { _httpMessage?: { headersSent: boolean } | null }): boolean {
  return socket._httpMessage?.headersSent === true
}

function refuse(response: ServerResponse, refusal: Refusal): void {
  const { headers, body } = answerOf(refusal)
  response.writeHead(refusal[0], headers).end(body)
}

function answerOf([status, title, detail]: Refusal) {
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
