import type { TSchema } from 'typebox'
import type { AccountingPort } from './accounting.ts'
import type { Call } from './call.ts'
import type { InventoryPort } from './inventory.ts'
import type { PricingPort } from './pricing.ts'

export interface Exchange {
  method: 'GET' | 'POST'
  /** Joined to the system's configured address. */
  path: string
  query?: Record<string, string | number | undefined>
  /** Sent as JSON. */
  body?: unknown
  headers?: Record<string, string>
}

export interface Reply {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

/** The HTTP client that `upstream/` hands to an adapter: bound to one system's address, its limits and its connections. */
export interface Client {
  /** One exchange; any status below 500 other than 429 is an answer. Rejects with UpstreamError (timeout, refused, 5xx, 429, too large). */
  send(exchange: Exchange, call: Call): Promise<Reply>
  /** `send`, for answers that must be 200 and JSON of this shape; anything else is UpstreamError('invalid') or ('error'). */
  json<T>(shape: Shape<T>, exchange: Exchange, call: Call): Promise<T>
  /** `json`, where 404 is an answer too: `null`. */
  jsonOrNull<T>(shape: Shape<T>, exchange: Exchange, call: Call): Promise<T | null>
}

/** A loose schema of what a system answers: the members that are read, whatever else there is. Made with `shape()` of upstream/shape.ts. */
export interface Shape<T> {
  parse(value: unknown): T
}

/** What an adapter is told of the merchant it serves. */
export interface MerchantFacts {
  merchant: string
  currency: string
  timeZone: string
  now(): Date
}

/** One kind of back office. A port that it cannot fill is left out, and answers as `not_configured`. */
export interface Adapter<Settings = Record<string, unknown>> {
  readonly name: string
  /** The adapter's own settings in the configuration file (user, password, company …), beside `adapter`, `address` and `limits`. */
  readonly settings: TSchema
  inventory?(settings: Settings, client: Client, facts: MerchantFacts): InventoryPort
  pricing?(settings: Settings, client: Client, facts: MerchantFacts): PricingPort
  accounting?(settings: Settings, client: Client, facts: MerchantFacts): AccountingPort
}
