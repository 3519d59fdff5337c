import type { TSchema } from 'typebox'
import type { AccountingPort } from './accounting.ts'
import type { Call } from './call.ts'
import type { FitmentPort } from './fitment.ts'
import type { InventoryPort } from './inventory.ts'
import type { PictureKey, PictureUrls } from './picture.ts'
import type { PricingPort } from './pricing.ts'
import type { PortName } from './system.ts'

export interface HttpRequest {
  method: 'GET' | 'POST'
  /** Joined to the system's configured address. */
  path: string
  query?: Record<string, string | number | undefined>
  /** Sent as JSON. */
  body?: unknown
  headers?: Record<string, string>
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

/** The HTTP client that `upstream/` hands to an adapter: bound to one system's address, its limits and its connections. */
export interface HttpClient {
  /** One exchange; any status below 500 other than 429 is an answer. Rejects with UpstreamError (timeout, refused, 5xx, 429, too large). */
  send(exchange: HttpRequest, call: Call): Promise<HttpResponse>
  /** `send`, for answers that must be 200 and JSON of this shape; anything else is UpstreamError('invalid') or ('error'). */
  json<T>(shape: ResponseSchema<T>, exchange: HttpRequest, call: Call): Promise<T>
  /** `json`, where 404 is an answer too: `null`. */
  jsonOrNull<T>(shape: ResponseSchema<T>, exchange: HttpRequest, call: Call): Promise<T | null>
  /** An answer whose body is a file; `null` for 404. Rejects like `json` for every other answer. */
  bytes(exchange: HttpRequest, call: Call): Promise<BinaryResponse | null>
  /** Work for the end, before the connections go: logging out. It has a second, and what fails of it is nobody's concern. */
  onClose(work: (call: Call) => Promise<unknown>): void
}

/** A loose schema of what a system answers: the members that are read, whatever else there is. Made with `shape()` of upstream/shape.ts. */
export interface ResponseSchema<T> {
  parse(value: unknown): T
}

/** What an adapter is told of the merchant it serves. */
export interface MerchantFacts {
  merchant: string
  currency: string
  timeZone: string
  now(): Date
  /** Where a picture that `InventoryPort.picture` answers is served: what an adapter puts into `Media`. */
  pictureUrls(picture: PictureKey): PictureUrls
}

/** What an adapter has found wrong, or worth knowing, in its system, and how to mend it. Neither text holds a secret. */
export interface Finding {
  /** Names what was looked at: `module`, `right`, `duplicate_sku`. */
  check: string
  /** `error`: something does not work; `warning`: something may not; `note`: good to know. */
  severity: 'error' | 'warning' | 'note'
  finding: string
  /** `{path}` in it becomes the system's place in the configuration. Empty: nothing is to be done. */
  remedy: string
  /** Until this is mended nothing else can be asked. */
  blocks?: boolean
}

/** What an examination is of, and may ask with: each question has a deadline of its own. */
export interface Examination {
  /** The ports that the merchant reads from this system. */
  systems: readonly PortName[]
  call(): Call
}

/** One kind of back office. A port that it cannot fill is left out, and answers as `not_configured`. */
export interface Adapter<Settings = Record<string, unknown>> {
  readonly name: string
  /** The adapter's own settings in the configuration file (user, password, company …), beside `adapter`, `address` and `limits`. */
  readonly settings: TSchema
  inventory?(settings: Settings, client: HttpClient, facts: MerchantFacts): InventoryPort
  pricing?(settings: Settings, client: HttpClient, facts: MerchantFacts): PricingPort
  accounting?(settings: Settings, client: HttpClient, facts: MerchantFacts): AccountingPort
  /** Vehicles, for a merchant whose inventory is another system. */
  fitment?(settings: Settings, client: HttpClient, facts: MerchantFacts): FitmentPort
  /** Looks at the system without changing it, for `forecourt doctor`. Asks with its own client and login; rejects as a port does. */
  examine?(
    settings: Settings,
    client: HttpClient,
    facts: MerchantFacts,
    examination: Examination,
  ): AsyncIterable<Finding>
}
