import { type Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

export interface HttpRequestOptions {
  method?: string
  headers?: OutgoingHttpHeaders
  /** Strings and bytes are sent unchanged, anything else as JSON. */
  body?: unknown
}

export interface Reply {
  status: number
  headers: IncomingHttpHeaders
  /** The body as received. */
  bytes: Buffer
  /** The decoded body. */
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses without schemas
  body: any
}

/** Sends one request without changing its path and headers, and returns the response unchanged. */
export function sendHttpRequest(
  address: string,
  path: string,
  options: HttpRequestOptions = {},
  agent?: Agent,
): Promise<Reply> {
  const { hostname, port } = new URL(address)
  const { method = options.body === undefined ? 'GET' : 'POST', headers = {}, body } = options
  const isRaw = typeof body === 'string' || body instanceof Uint8Array
  const bytes = body === undefined ? undefined : isRaw ? Buffer.from(body as string) : Buffer.from(JSON.stringify(body))
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, path, method, ...(agent && { agent }) }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => resolve(toReply(response.statusCode!, response.headers, Buffer.concat(chunks))))
    })
    // The server has closed an idle connection while this process, which may be the same one, was busy.
    const isClosedEarlier = (error: NodeJS.ErrnoException) => outgoing.reusedSocket && error.code === 'ECONNRESET'
    outgoing.on('error', (error) =>
      method === 'GET' && isClosedEarlier(error)
        ? resolve(sendHttpRequest(address, path, options, agent))
        : reject(error),
    )
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) outgoing.setHeader(name, value)
    if (bytes && !outgoing.hasHeader('content-type')) outgoing.setHeader('content-type', 'application/json')
    if (bytes && !outgoing.hasHeader('transfer-encoding')) outgoing.setHeader('content-length', bytes.byteLength)
    outgoing.end(bytes)
  })
}

const decoders: Record<string, (encoded: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync }

function toReply(status: number, headers: IncomingHttpHeaders, bytes: Buffer): Reply {
  const decode = decoders[headers['content-encoding'] ?? ''] ?? ((encoded) => encoded)
  const text = bytes.byteLength === 0 ? '' : decode(bytes).toString()
  return { status, headers, bytes, text, body: parseJson(text) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Sends bytes on a new connection, and returns everything received until the server closes it. */
export function sendRawBytes(address: string, ...writes: (string | Uint8Array)[]): Promise<string> {
  const { hostname, port } = new URL(address)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
    })
    socket.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ECONNRESET' ? resolve(text) : reject(error)))
    socket.on('close', () => resolve(text))
    for (const bytes of writes) socket.write(bytes)
  })
}
