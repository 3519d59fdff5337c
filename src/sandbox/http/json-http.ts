import type { IncomingMessage, ServerResponse } from 'node:http'
import { inspect } from 'node:util'
import type { BinaryFile } from '../protocol/schema-types.ts'
import { HttpError } from './http-error.ts'

const CAP = 1_048_576

/** The JSON that a caller sent, at most 1 MiB of it. */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  if (Number(request.headers['content-length'] ?? 0) > CAP) throw tooLarge()
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > CAP) throw tooLarge()
    chunks.push(chunk)
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)))
  } catch {
    throw new HttpError(400, 'bad_request', 'body: not JSON')
  }
}

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

/** Answers what went wrong; anything but a Refusal is our own mistake: callers are told no more than that. */
export function sendError(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) return
  // Whatever is left of an unread body is not worth reading.
  const headers = response.req.complete ? {} : { connection: 'close' }
  if (error instanceof HttpError) {
    sendJson(response, error.status, { error: error.code, detail: error.message }, headers)
  } else {
    process.stderr.write(`${inspect(error)}\n`)
    sendJson(response, 500, { error: 'internal_error', detail: 'the sandbox failed' }, headers)
  }
}

function tooLarge(): HttpError {
  return new HttpError(413, 'too_large', 'body: more than 1 MiB')
}
