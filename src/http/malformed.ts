import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { requestIdOf } from './request-id.ts'

const answers: Readonly<Record<string, readonly [status: number, title: string, detail: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'The request headers are larger than 16 KiB.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'The request did not arrive in time.'],
}
const malformed = [400, 'Bad Request', 'The request is not well-formed HTTP.'] as const

/** What never became a request still gets an answer in the shape of all others, and its connection is closed. */
export function answerMalformed(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
    const [status, title, detail] = answers[error.code ?? ''] ?? malformed
    const requestId = requestIdOf(undefined)
    const body = JSON.stringify({
      type: 'about:blank',
      title,
      status,
      detail,
      code: 'bad_request',
      request_id: requestId,
    })
    socket.end(
      `HTTP/1.1 ${status} ${title}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
        `X-Service-Mode: live\r\nX-Request-Id: ${requestId}\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n${body}`,
    )
  })
}
