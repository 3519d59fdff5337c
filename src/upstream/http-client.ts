import { once } from 'node:events'
import got, { type Method, RequestError, type RequestFunction } from 'got'
import { UpstreamError } from '../errors.ts'
import type { BinaryResponse, HttpClient, HttpRequest, HttpResponse, ResponseSchema } from '../ports/adapter.ts'
import type { Call } from '../ports/call.ts'
import { createTransport, type TransportLimits } from './http-transport.ts'
import { redactedExcerpt } from './redacted-excerpt.ts'

interface Answered<Body> {
  statusCode: number
  headers: HttpResponse['headers']
  body: Body
}

/** What an adapter still has to say to a system that may not listen any more. */
const CLOSING_MS = 5_000

type Ask<Body> = (url: string, options: object) => Promise<Answered<Body>>

/** The HTTP client of one upstream system. Deadlines are the caller's: `call.signal` ends an exchange at any point. */
export function createHttpClient(system: { address: string } & TransportLimits): HttpClient & AsyncDisposable {
  const base = system.address.replace(/\/+$/, '')
  const transport = createTransport(new URL(base).origin, system)
  const request = got.extend({
    decompress: false,
    followRedirect: false,
    responseType: 'text',
    retry: { limit: 0 },
    throwHttpErrors: false,
    headers: { 'user-agent': 'forecourt', accept: 'application/json' },
  })
  const atClose: ((call: Call) => Promise<unknown>)[] = []
  const binary = request.extend({ responseType: 'buffer', headers: { accept: '*/*' } })

  async function answered<Body>(ask: Ask<Body>, exchange: HttpRequest, call: Call): Promise<Answered<Body>> {
    if (call.signal.aborted) throw reasonOf(call.signal)
    const options = optionsOf(exchange, call)
    try {
      return await ask(base + exchange.path + queryString(exchange.query), {
        ...options,
        request: transport.exchange(options.body, call.signal) as RequestFunction,
      })
    } catch (error) {
      throw call.signal.aborted ? reasonOf(call.signal) : failureOf(error)
    }
  }

  async function send(exchange: HttpRequest, call: Call): Promise<HttpResponse> {
    const { statusCode, headers, body } = await answered<string>(request as Ask<string>, exchange, call)
    return accepted({ status: statusCode, headers, text: body }, exchange)
  }

  async function bytes(exchange: HttpRequest, call: Call): Promise<BinaryResponse | null> {
    const { statusCode, headers, body } = await answered<Uint8Array>(binary as Ask<Uint8Array>, exchange, call)
    if (statusCode === 200) return { headers, bytes: body }
    const text = Buffer.from(body).toString()
    const { status } = accepted({ status: statusCode, headers, text }, exchange)
    if (status === 404) return null
    throw refused(exchange, status, text)
  }

  async function jsonOrNull<T>(shape: ResponseSchema<T>, exchange: HttpRequest, call: Call): Promise<T | null> {
    const { status, text } = await send(exchange, call)
    if (status === 404) return null
    if (status !== 200) throw refused(exchange, status, text)
    return shape.parse(parseJson(text))
  }

  return {
    send,
    bytes,
    jsonOrNull,
    async json(shape, exchange, call) {
      const value = await jsonOrNull(shape, exchange, call)
      if (value === null) throw refused(exchange, 404, '')
      return value
    },
    onClose: (work) => void atClose.push(work),
    async [Symbol.asyncDispose]() {
      const over = new AbortController()
      const timer = setTimeout(() => over.abort(), CLOSING_MS)
      const call = { requestId: 'closing', signal: over.signal, timeoutMs: () => CLOSING_MS }
      const done = Promise.allSettled(atClose.splice(0).map(async (work) => work(call)))
      await Promise.race([done, once(over.signal, 'abort')])
      clearTimeout(timer)
      await transport[Symbol.asyncDispose]()
    },
  }
}

/** A 4xx says nothing of the system's health; any other answer that is not 200 is none of its protocol. */
function refused(exchange: HttpRequest, status: number, text: string): UpstreamError {
  const failure = status >= 400 ? 'rejected' : 'invalid'
  return new UpstreamError(failure, `${describe(exchange)} answered ${status}: ${redactedExcerpt(text)}`, {
    said: `answered ${status}`,
  })
}

function optionsOf(exchange: HttpRequest, call: Call) {
  const headers: Record<string, string> = {
    ...exchange.headers,
    'x-request-id': call.requestId,
    'x-request-timeout-ms': String(Math.max(1, Math.floor(call.timeoutMs()))),
  }
  if (call.trace !== undefined) {
    headers.traceparent = call.trace.traceparent
    if (call.trace.tracestate !== undefined) headers.tracestate = call.trace.tracestate
  }
  const method = exchange.method as Method
  if (exchange.body === undefined) return { method, headers }
  headers['content-type'] = 'application/json'
  return { method, headers, body: JSON.stringify(exchange.body) }
}

function queryString(query: HttpRequest['query']): string {
  if (query === undefined) return ''
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined)
  if (pairs.length === 0) return ''
  return `?${pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value!)}`).join('&')}`
}

function accepted(reply: HttpResponse, exchange: HttpRequest): HttpResponse {
  if (reply.status < 500 && reply.status !== 429) return reply
  const retryAfterMs = retryAfter(reply.headers['retry-after'])
  const message = `${describe(exchange)} answered ${reply.status}: ${redactedExcerpt(reply.text)}`
  const said = `answered ${reply.status}`
  if (reply.status === 429) throw new UpstreamError('rate_limited', message, { retryAfterMs, said })
  const retryable = reply.status >= 502 && reply.status <= 504
  throw new UpstreamError('error', message, { retryAfterMs, retryable, said })
}

/** Seconds or an HTTP date, as milliseconds; a minute at the most, so that no upstream can silence itself for long. */
function retryAfter(header: string | string[] | undefined): number | undefined {
  if (typeof header !== 'string') return undefined
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isFinite(ms) && ms > 0 ? Math.min(ms, 60_000) : undefined
}

function reasonOf(signal: AbortSignal): UpstreamError {
  return signal.reason instanceof UpstreamError ? signal.reason : new UpstreamError('aborted', 'the caller left')
}

const unreadable = new Set(['UND_ERR_RES_EXCEEDED_MAX_SIZE', 'UND_ERR_HEADERS_OVERFLOW'])

function failureOf(error: unknown): UpstreamError {
  if (error instanceof UpstreamError) return error
  // got puts a code of its own on what broke off while it was being read.
  const cause = error instanceof RequestError ? (error.cause as NodeJS.ErrnoException | undefined) : undefined
  const code = cause?.code ?? (error as NodeJS.ErrnoException).code ?? 'ERR'
  const message = `${code}: ${error instanceof Error ? error.message : String(error)}`
  if (cause?.name === 'HTTPParserError' || unreadable.has(code))
    return new UpstreamError('invalid', message, { cause: error })
  return new UpstreamError('unavailable', message, { cause: error, retryable: true, said: code })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Without the cause: V8 quotes the text there.
    throw new UpstreamError('invalid', `not JSON: ${redactedExcerpt(text)}`)
  }
}

const describe = (exchange: HttpRequest) => `${exchange.method} ${exchange.path}`
