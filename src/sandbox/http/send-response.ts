import type { ServerResponse } from 'node:http'
import { inspect } from 'node:util'
import type { BinaryFile } from '../protocol/operation.ts'
import { HttpError } from './http-error.ts'

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  const text = Buffer.from(JSON.stringify(body))
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': text.length, ...headers })
  response.end(text)
}

export function sendFile(response: ServerResponse, { tag, type, bytes }: BinaryFile): void {
  response.writeHead(200, { 'content-type': type, 'content-length': bytes.length, etag: `"${tag}"` })
  response.end(bytes)
}

/** Sends an error response. Anything but an HttpError is a bug: it is logged, and the caller sees only a 500. */
export function sendError(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) return
  // An unread body would block the connection.
  const headers = response.req.complete ? {} : { connection: 'close' }
  if (error instanceof HttpError) {
    sendJson(response, error.status, { error: error.code, detail: error.message }, headers)
  } else {
    process.stderr.write(`${inspect(error)}\n`)
    sendJson(response, 500, { error: 'internal_error', detail: 'the sandbox failed' }, headers)
  }
}
