import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { HttpError } from '../http/http-error.ts'

interface Picture {
  bytes: Buffer
  etag: string
}

const FOLDER = new URL('../../../fixtures/media/', import.meta.url)
const cache = new Map<string, Promise<Picture>>()

/** Sends one published picture of the fixtures. It is public, and never changes under its name. */
export async function sendPublishedPicture(
  file: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    throw new HttpError(405, 'method_not_allowed', 'pictures accept only GET and HEAD')
  const picture = /^[a-z0-9-]{1,64}\.webp$/.test(file) ? await load(file) : undefined
  if (!picture) throw new HttpError(404, 'not_found', 'the picture does not exist')
  const headers = { 'cache-control': 'public, max-age=31536000, immutable', etag: picture.etag }
  if (request.headers['if-none-match']?.includes(picture.etag)) {
    response.writeHead(304, headers).end()
    return
  }
  response.writeHead(200, { ...headers, 'content-type': 'image/webp', 'content-length': picture.bytes.length })
  response.end(request.method === 'HEAD' ? undefined : picture.bytes)
}

async function load(file: string): Promise<Picture | undefined> {
  const reading = cache.get(file) ?? read(file)
  cache.set(file, reading)
  try {
    return await reading
  } catch {
    cache.delete(file)
    return undefined
  }
}

async function read(file: string): Promise<Picture> {
  const bytes = await readFile(new URL(file, FOLDER))
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` }
}
