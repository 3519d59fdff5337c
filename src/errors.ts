import type { ValidationItem } from './contract/validation-error.ts'
import type { SourceName } from './ports/system.ts'
import { type ProblemCode, problemTypes } from './problem-types.ts'

/** Why a call to an upstream system failed. */
export type UpstreamFailure =
  | 'timeout'
  | 'unavailable'
  | 'error'
  | 'invalid'
  /** The system rejected the call with 4xx, which does not count against its circuit. */
  | 'rejected'
  /** The system refuses Forecourt's own login: a key has expired, or a password was changed. Every call fails until it is renewed. */
  | 'unauthorized'
  /** A setting of Forecourt names something that the system does not have. Calls that need it are not sent until it is corrected. */
  | 'misconfigured'
  | 'rate_limited'
  | 'circuit_open'
  /** An operator has planned maintenance of the system: no call was made. */
  | 'maintenance'
  | 'overloaded'
  | 'not_configured'
  | 'aborted'

/** A failed response of a system. `text` ends after 65,536 characters. */
export interface HttpReply {
  status: number
  text: string
}

/** A failed call to an upstream system. `message` may quote the system's response: it is for the log, and never reaches a client. */
export class UpstreamError extends Error {
  readonly failure: UpstreamFailure
  /** The time after which the system, or its circuit breaker, may accept another call. */
  readonly retryAfterMs: number | undefined
  /** True when a retry may succeed and does no harm: the system did not act on the call, or the call is idempotent. */
  readonly retryable: boolean
  /** A summary without text of the system (`responded 503`, `ECONNREFUSED`), which operators may see. */
  readonly summary: string | null
  /** For `circuit_open`: how the calls failed that opened the circuit. */
  readonly openedBy: string | null
  /** True when X-Sandbox-Fault caused it. */
  readonly simulated: boolean
  /** For `maintenance`: when it ends, in milliseconds since the epoch. */
  readonly untilMs: number | null
  readonly #reply: HttpReply | null
  /** The system that failed; the caller sets it where the adapter does not. */
  system: SourceName | null

  constructor(
    failure: UpstreamFailure,
    message: string,
    options: {
      cause?: unknown
      retryAfterMs?: number | undefined
      retryable?: boolean
      summary?: string
      openedBy?: string
      untilMs?: number
      simulated?: boolean
      system?: SourceName
      reply?: HttpReply
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'UpstreamError'
    this.failure = failure
    this.retryAfterMs = options.retryAfterMs
    this.retryable = options.retryable ?? false
    this.summary = options.summary ?? null
    this.openedBy = options.openedBy ?? null
    this.untilMs = options.untilMs ?? null
    this.simulated = options.simulated ?? false
    this.system = options.system ?? null
    this.#reply = options.reply ?? null
  }

  /** The response of a 5xx, for the adapter, which may know its reason; `null` for other failures. It is in no log and in no response. */
  get reply(): HttpReply | null {
    return this.#reply
  }
}

/** An error without a stack trace, which adds nothing to its code and costs more than the rest of a refused request. */
class Refusal extends Error {
  constructor(message: string, options?: ErrorOptions) {
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(message, options)
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** A SKU that cannot be ordered, and why. */
export interface SkuRefusal {
  sku: string
  reason: 'no_price' | 'not_in_inventory' | 'withdrawn' | 'no_stock_record' | 'out_of_stock' | 'refused_by_accounting'
}

/** An error that `http/handle-errors.ts` sends to the client, `detail` included. */
export class Problem extends Refusal {
  readonly code: ProblemCode
  readonly status: number
  readonly detail: string
  readonly headers: Record<string, string>
  /** Extra members of the body. */
  readonly members: Record<string, unknown>
  /** The name of the limit that a 429 reached, for operators: no response has it. */
  readonly limit: string | null
  /** Why each of the SKUs in `members` is refused, for operators: no response has it. */
  readonly skuRefusals: readonly SkuRefusal[]

  constructor(
    code: ProblemCode,
    detail?: string,
    options: {
      headers?: Record<string, string>
      members?: Record<string, unknown>
      cause?: unknown
      limit?: string
      skuRefusals?: readonly SkuRefusal[]
    } = {},
  ) {
    super(detail ?? problemTypes[code][2], { cause: options.cause })
    this.name = 'Problem'
    this.code = code
    this.status = problemTypes[code][0]
    this.detail = detail ?? problemTypes[code][2]
    this.headers = options.headers ?? {}
    this.members = options.members ?? {}
    this.limit = options.limit ?? null
    this.skuRefusals = options.skuRefusals ?? []
  }
}

/** What to send in place of an id that does not exist. */
const notFoundHints: Readonly<Record<string, string>> = {
  product:
    'Send a sku (not a slug or a name) as GET /v1/products lists it, in the same letter case. To search: GET /v1/products?q={text}.',
  vehicle: 'Send a vehicle_id from GET /v1/vehicles/models.',
  cart: 'Send the cart_id of a cart that belongs to the same shopper and mode, or create one: POST /v1/carts.',
  'cart line': 'Send a line_id from the cart: GET /v1/carts/{cart_id}.',
  promotion: 'Send a code from the cart: GET /v1/carts/{cart_id}.',
  order: 'Send an order_id (not an order_number) from GET /v1/orders, for the same shopper.',
  invoice: 'Send an invoice_id (not an invoice_number) from GET /v1/invoices, for the same shopper.',
  'request for this product': 'GET /v1/me/back-in-stock lists the products that the shopper waits for.',
  subscription: 'Send a subscription_id from GET /v1/webhooks, with a key of the same mode.',
  delivery: 'Send a delivery_id from GET /v1/webhooks/{subscription_id}/deliveries.',
}

/** Returns the 404 for a kind of thing, such as `order`: the same for one that does not exist and for one of another customer or merchant. */
export function createNotFound(kind: string): Problem {
  const hint = notFoundHints[kind]
  return new Problem('not_found', `There is no such ${kind}.${hint ? ` ${hint}` : ''}`)
}

/** A request that does not match its schemas, or a rule beyond them: 422. */
export class InvalidInput extends Refusal {
  readonly detail: readonly ValidationItem[]
  /** A message for people about what to change in the request; `detail` has the shape of FastAPI. */
  readonly hint: string | undefined

  constructor(detail: readonly ValidationItem[], hint?: string) {
    super('invalid request')
    this.name = 'InvalidInput'
    this.detail = detail
    this.hint = hint
  }
}
