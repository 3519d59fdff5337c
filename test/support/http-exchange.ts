import { type Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

export interface ExchangeOptions {
  method?: string
  headers?: OutgoingHttpHeaders
  /** A string or bytes go as they are, anything else as JSON. */
  body?: unknown
}

export interface Reply {
  status: number
  headers: IncomingHttpHeaders
  /** As they came. */
  bytes: Buffer
  /** Without the content-coding. */
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
  body: any
}

/** One exchange whose path and headers go out, and whose bytes come back, just as they are. */
export function exchange(address: string, path: string, sent: ExchangeOptions = {}, agent?: Agent): Promise<Reply> {
  const { hostname, port } = new URL(address)
  const { method = sent.body === undefined ? 'GET' : 'POST', headers = {}, body } = sent
  const raw = typeof body === 'string' || body instanceof Uint8Array
  const bytes = body === undefined ? undefined : raw ? Buffer.from(body as string) : Buffer.from(JSON.stringify(body))
  return new Promise((resolve, reject) => {
    const call = request({ hostname, port, path, method, ...(agent && { agent }) }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => resolve(replyOf(response.statusCode!, response.headers, Buffer.concat(chunks))))
    })
    call.on('error', reject)
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) call.setHeader(name, value)
    if (bytes && !call.hasHeader('content-type')) call.setHeader('content-type', 'application/json')
    if (bytes && !call.hasHeader('transfer-encoding')) call.setHeader('content-length', bytes.byteLength)
    call.end(bytes)
  })
}

const decoders: Record<string, (coded: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync }

function replyOf(status: number, headers: IncomingHttpHeaders, bytes: Buffer): Reply {
  const decode = decoders[headers['content-encoding'] ?? ''] ?? ((coded) => coded)
  const text = bytes.byteLength === 0 ? '' : decode(bytes).toString()
  return { status, headers, bytes, text, body: parsed(text) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Sends these bytes on a connection of their own, and tells all that came back until the server closed it. */
export function rawExchange(address: string, ...writes: (string | Uint8Array)[]): Promise<string> {
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
