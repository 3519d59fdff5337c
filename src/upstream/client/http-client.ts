import { once } from 'node:events'
import got, { type Method, type RequestFunction } from 'got'
import { UpstreamError } from '../../errors.ts'
import type { Call } from '../../ports/call.ts'
import type { BinaryResponse, HttpClient, HttpRequest, HttpResponse, ResponseSchema } from '../../ports/http-client.ts'
import type { CallPace } from './call-pace.ts'
import { abortReason, checkStatus, isNotFound, toUpstreamError, unexpectedStatus } from './http-errors.ts'
import { createTransport, type TransportLimits } from './http-transport.ts'
import { toLogExcerpt } from './log-excerpt.ts'

interface GotResponse<Body> {
  statusCode: number
  headers: HttpResponse['headers']
  body: Body
}

type GotCall<Body> = (url: string, options: object) => Promise<GotResponse<Body>>

/** The bytes that one requested row may need on average, and those around the rows. A product with a long description takes a tenth of it. */
const MAX_ROW_BYTES = 131_072
const MAX_FRAME_BYTES = 262_144

/** Time for an adapter's last calls, such as logging out. */
const CLOSE_TIMEOUT_MS = 5_000

export interface HttpClientParts extends TransportLimits {
  address: string
  /** Absent: any number of requests a minute. */
  pace?: CallPace | undefined
}

/** The HTTP client of one upstream system. The caller owns the deadline: `call.signal` ends a request at any point. */
export function createHttpClient(system: HttpClientParts): HttpClient & AsyncDisposable {
  const base = system.address.replace(/\/+$/, '')
  const transport = createTransport(new URL(base).origin, system)
  const gotText = got.extend({
    decompress: false,
    followRedirect: false,
    responseType: 'text',
    retry: { limit: 0 },
    throwHttpErrors: false,
    headers: { 'user-agent': 'forecourt', accept: 'application/json' },
  })
  const gotBytes = gotText.extend({ responseType: 'buffer', headers: { accept: '*/*' } })
  const closeHandlers: ((call: Call) => Promise<unknown>)[] = []

  async function exchange<Body>(gotCall: GotCall<Body>, request: HttpRequest, call: Call): Promise<GotResponse<Body>> {
    if (call.signal.aborted) throw abortReason(call.signal)
    await system.pace?.admit(call)
    const options = toOptions(request, call)
    const maxBytes = request.rows === undefined ? Infinity : MAX_FRAME_BYTES + request.rows * MAX_ROW_BYTES
    try {
      return await gotCall(base + request.path + toQueryString(request.query), {
        ...options,
        request: transport.exchange({ body: options.body, maxBytes, call }) as RequestFunction,
      })
    } catch (error) {
      throw call.signal.aborted ? abortReason(call.signal) : toUpstreamError(error)
    }
  }

  async function send(request: HttpRequest, call: Call): Promise<HttpResponse> {
    const { statusCode, headers, body } = await exchange(gotText as GotCall<string | Uint8Array>, request, call)
    // got leaves a body with a Content-Encoding as bytes. Tryton 8 names one for long texts, although it was asked for none.
    const text = typeof body === 'string' ? body : Buffer.from(body).toString()
    return checkStatus({ status: statusCode, headers, text }, request)
  }

  async function bytes(request: HttpRequest, call: Call): Promise<BinaryResponse | null> {
    const response = await exchange<Uint8Array>(gotBytes as GotCall<Uint8Array>, request, call)
    const { statusCode, headers, body } = response
    if (statusCode === 200) return { headers, bytes: body }
    const text = Buffer.from(body).toString()
    const { status } = checkStatus({ status: statusCode, headers, text }, request)
    if (isNotFound(request, status, text)) return null
    throw unexpectedStatus(request, status, text)
  }

  async function json<T>(schema: ResponseSchema<T>, request: HttpRequest, call: Call): Promise<T> {
    return toJson(schema, request, await send(request, call))
  }

  async function jsonOrNull<T>(schema: ResponseSchema<T>, request: HttpRequest, call: Call): Promise<T | null> {
    const response = await send(request, call)
    return isNotFound(request, response.status, response.text) ? null : toJson(schema, request, response)
  }

  return {
    send,
    bytes,
    json,
    jsonOrNull,
    onClose: (handler) => void closeHandlers.push(handler),
    async [Symbol.asyncDispose]() {
      const timeout = new AbortController()
      const timer = setTimeout(() => timeout.abort(), CLOSE_TIMEOUT_MS)
      const call = { requestId: 'closing', signal: timeout.signal, timeoutMs: () => CLOSE_TIMEOUT_MS }
      const closed = Promise.allSettled(closeHandlers.splice(0).map(async (handler) => handler(call)))
      await Promise.race([closed, once(timeout.signal, 'abort')])
      clearTimeout(timer)
      await transport[Symbol.asyncDispose]()
    },
  }
}

function toOptions(request: HttpRequest, call: Call) {
  const headers: Record<string, string> = {
    ...request.headers,
    'x-request-id': call.requestId,
    'x-request-timeout-ms': String(Math.max(1, Math.floor(call.timeoutMs()))),
  }
  if (call.trace !== undefined) {
    headers.traceparent = call.trace.traceparent
    if (call.trace.tracestate !== undefined) headers.tracestate = call.trace.tracestate
  }
  const method = request.method as Method
  if (request.body === undefined) return { method, headers }
  headers['content-type'] = 'application/json'
  return { method, headers, body: JSON.stringify(request.body) }
}

function toQueryString(query: HttpRequest['query']): string {
  if (query === undefined) return ''
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined)
  if (pairs.length === 0) return ''
  return `?${pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value!)}`).join('&')}`
}

function toJson<T>(schema: ResponseSchema<T>, request: HttpRequest, { status, text }: HttpResponse): T {
  if (status !== 200) throw unexpectedStatus(request, status, text)
  return schema.parse(parseJson(text))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Without V8's error as the cause, because it quotes the text.
    throw new UpstreamError('invalid', `not JSON: ${toLogExcerpt(text)}`)
  }
}
