import type { Call } from './call.ts'

export interface HttpRequest {
  method: 'GET' | 'POST'
  /** Appended to the system's configured address. */
  path: string
  query?: Record<string, string | number | undefined>
  /** Sent as JSON. */
  body?: unknown
  headers?: Record<string, string>
  /** The number of rows that are requested. A response that is far larger than this many rows is refused: reading it would delay every other request. */
  rows?: number
  /** Returns whether the body of a 404 is the system's own way to say that a thing does not exist. Any other 404 is `invalid`: a misrouted proxy sends it for everything. */
  isNotFound?(text: string): boolean
}

export interface HttpResponse {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

export interface BinaryResponse {
  headers: HttpResponse['headers']
  bytes: Uint8Array
}

/** The HTTP client of an adapter, bound to the address, limits and connections of one system. */
export interface HttpClient {
  /** Sends one request. Resolves for any status below 500 except 429. Rejects with UpstreamError (timeout, refused, 5xx, 429, too large). */
  send(request: HttpRequest, call: Call): Promise<HttpResponse>
  /** Like `send`, for responses that must be 200 and JSON of this schema. Rejects with UpstreamError for any other response. */
  json<T>(schema: ResponseSchema<T>, request: HttpRequest, call: Call): Promise<T>
  /** Like `json`, but resolves to `null` for a 404 that `isNotFound` recognizes. */
  jsonOrNull<T>(schema: ResponseSchema<T>, request: HttpRequest, call: Call): Promise<T | null>
  /** Like `jsonOrNull`, for a response whose body is a file. */
  bytes(request: HttpRequest, call: Call): Promise<BinaryResponse | null>
  /** Registers work for shutdown, such as a logout, before the connections close. All such work has five seconds in total; its failures are ignored. */
  onClose(work: (call: Call) => Promise<unknown>): void
}

/** A loose schema of a response: it describes only the members that are read. */
export interface ResponseSchema<T> {
  parse(value: unknown): T
}
