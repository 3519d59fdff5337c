import type { IncomingMessage } from 'node:http'
import { HttpError } from './http-error.ts'

const MAX_BODY_BYTES = 1_048_576

/** Reads a JSON body of at most 1 MiB. */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw tooLarge()
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) throw tooLarge()
    chunks.push(chunk)
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)))
  } catch {
    throw new HttpError(400, 'bad_request', 'body: not valid JSON')
  }
}

function tooLarge(): HttpError {
  return new HttpError(413, 'too_large', 'body: larger than 1 MiB')
}
