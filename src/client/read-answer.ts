import type { Operation } from './call.ts'
import { createInvalidResponse, toForecourtError } from './forecourt-error.ts'

export interface Answer {
  status: number
  headers: Headers
  text: string
  result: unknown
}

/** More than Forecourt sends. Without a limit, the response of something else could fill the memory. */
const MAX_BYTES = 16_000_000

/** Returns the result of a 2xx, or of a 304 that confirms the `kept` body. Throws if the response is an error, or is not one of Forecourt to this call. */
export async function readAnswer(
  response: Response,
  { file, list, empty }: Operation,
  address: string,
  kept?: string,
): Promise<Answer> {
  const { status, headers, type } = response
  const refuse = (what: string) => createInvalidResponse(status, headers, address, what)
  // In a browser, a redirect that is not followed has the status 0.
  if (type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304)) {
    await response.body?.cancel()
    throw refuse(`a redirect to ${headers.get('location') ?? 'another address'}`)
  }
  const tooLong = () => refuse(`more than ${MAX_BYTES / 1e6} MB`)
  if (file && response.ok) {
    const type = headers.get('content-type') ?? ''
    const result = response.body ? new Blob(await readParts(response.body, tooLong), { type }) : await response.blob()
    if (status !== 200 || result.size === 0 || /html|json/.test(type)) throw refuse(`no file (${type})`)
    return { status, headers, text: '', result }
  }
  const sent = response.body ? decode(await readParts(response.body, tooLong)) : await response.text()
  if (status >= 400) throw toForecourtError(status, headers, parseJson(sent), address)
  if (empty) {
    if (status !== 204) throw refuse('a body where none is expected')
    return { status, headers, text: '', result: undefined }
  }
  if (status === 304 && kept === undefined) throw refuse('but the call has no If-None-Match')
  const text = status === 304 ? kept! : sent
  const result = parseJson(text)
  if (typeof result !== 'object' || result === null || Array.isArray(result) !== Boolean(list))
    throw refuse(text === '' ? 'no body' : `no JSON ${list ? 'array' : 'object'} (${headers.get('content-type')})`)
  return { status, headers, text, result }
}

type Parts = Uint8Array<ArrayBuffer>[]

async function readParts(body: ReadableStream<Uint8Array<ArrayBuffer>>, tooLong: () => Error): Promise<Parts> {
  const reader = body.getReader()
  const parts: Parts = []
  for (let size = 0; ; ) {
    const { done, value } = await reader.read()
    if (done) return parts
    parts.push(value)
    size += value.length
    if (size <= MAX_BYTES) continue
    await reader.cancel()
    throw tooLong()
  }
}

function decode(parts: Parts): string {
  const decoder = new TextDecoder()
  return parts.map((part) => decoder.decode(part, { stream: true })).join('') + decoder.decode()
}

/** Returns undefined if the text is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
