import type { ValidationItem } from './contract/validation-error.ts'
import type { SourceName } from './ports/system.ts'

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

/** Every problem of the API except 422: its status, its title, and the default `detail`. */
export const problemTypes = {
  missing_api_key: [401, 'Unauthorized', 'Send your API key as Authorization: Bearer <key>.'],
  invalid_api_key: [
    401,
    'Unauthorized',
    'The API key is not valid: it is mistyped, revoked or expired, or belongs to another server. Copy it again, or issue another with forecourt keys issue.',
  ],
  missing_shopper_token: [
    401,
    'Unauthorized',
    'Send the shopper token as X-Storefront-Shopper-Token. POST /v1/shoppers/login returns one as shopper_token. With @forecourt/client: forShopper(session).',
  ],
  invalid_shopper_token: [
    401,
    'Unauthorized',
    'The shopper token is not valid or has expired. Send the shopper_token, not the refresh_token. If it has expired, refresh it with POST /v1/shoppers/refresh, or sign in again.',
  ],
  invalid_credentials: [
    401,
    'Unauthorized',
    'The email address or the password is incorrect. Try again, or set a new password: POST /v1/shoppers/password-reset.',
  ],
  invalid_refresh_token: [
    401,
    'Unauthorized',
    'The refresh token is not valid. Send the refresh_token of the last session (not its shopper_token), which works once, or sign in again.',
  ],
  invalid_signature: [401, 'Unauthorized', 'The signature is missing, or does not match the body and the secret.'],
  publishable_key_not_allowed: [
    403,
    'Forbidden',
    'This call requires a secret key (it contains _sec_), sent from your server and never from a browser.',
  ],
  insufficient_scope: [403, 'Forbidden', 'The API key does not have the scope that this call requires.'],
  origin_not_allowed: [
    403,
    'Forbidden',
    'The API key does not allow this origin. Ask the merchant for a key that does: forecourt keys issue --origins <origin>.',
  ],
  sandbox_disabled: [
    403,
    'Forbidden',
    'This server runs no sandbox for this merchant. Use a live key, or a server that runs the sandbox.',
  ],
  shopper_merchant_mismatch: [403, 'Forbidden', 'The shopper token belongs to another merchant.'],
  not_found: [404, 'Not Found', 'Not found.'],
  document_not_available: [
    404,
    'Not Found',
    'The back office has no document for this invoice. It may create one later, or may not offer documents: show the invoice itself.',
  ],
  method_not_allowed: [405, 'Method Not Allowed', 'This path does not support the method; see the Allow header.'],
  idempotency_in_flight: [409, 'Conflict', 'A request with this Idempotency-Key is still in progress. Retry shortly.'],
  cart_converted: [409, 'Conflict', 'This cart has been checked out. Create a new one: POST /v1/carts.'],
  cart_empty: [409, 'Conflict', 'The cart is empty. Add a line first: POST /v1/carts/{cart_id}/lines.'],
  cart_full: [409, 'Conflict', 'A cart can hold at most 200 lines.'],
  price_changed: [409, 'Conflict', 'The total is higher than expected_total. Show the cart to the shopper again.'],
  line_unavailable: [
    409,
    'Conflict',
    'A line of this cart is not available for sale. Remove the lines whose SKUs are in skus, and check out again.',
  ],
  account_on_hold: [409, 'Conflict', 'The account is on hold. Contact the shop.'],
  payment_method_not_allowed: [
    409,
    'Conflict',
    'The account cannot use this payment method. Send one of payment_methods of GET /v1/me.',
  ],
  order_not_cancellable: [409, 'Conflict', 'This order can no longer be cancelled; see current_status.'],
  product_in_stock: [409, 'Conflict', 'The product is in stock. Add it to a cart: POST /v1/carts/{cart_id}/lines.'],
  back_in_stock_limit: [
    409,
    'Conflict',
    'The shopper already waits for 50 products. Delete a request first: DELETE /v1/products/{sku}/back-in-stock.',
  ],
  subscription_exists: [
    409,
    'Conflict',
    'A subscription for this URL already exists: subscription_id names it. Change it: PATCH /v1/webhooks/{subscription_id}.',
  ],
  subscription_limit: [409, 'Conflict', 'The limit of 20 subscriptions has been reached. Delete one first.'],
  subscription_disabled: [409, 'Conflict', 'This subscription is disabled. Enable it first.'],
  cart_expired: [410, 'Gone', 'This cart has expired. Create a new one: POST /v1/carts.'],
  cart_version_mismatch: [
    412,
    'Precondition Failed',
    'The cart has changed. Read it again, and send its version as If-Match.',
  ],
  payload_too_large: [413, 'Content Too Large', 'The request body is too large.'],
  unsupported_media_type: [
    415,
    'Unsupported Media Type',
    'The Content-Encoding of the request body is not supported. Send gzip, deflate, br or none, with Content-Type: application/json.',
  ],
  rate_limited: [429, 'Too Many Requests', 'A rate limit has been exceeded; see Retry-After.'],
  internal_error: [500, 'Internal Server Error', 'An internal error occurred. Include request_id when you report it.'],
  downstream_error: [502, 'Bad Gateway', 'An upstream system returned an error.'],
  downstream_unavailable: [503, 'Service Unavailable', 'An upstream system cannot be reached.'],
  circuit_open: [
    503,
    'Service Unavailable',
    'An upstream system is failing, and calls to it are paused while it recovers.',
  ],
  maintenance: [503, 'Service Unavailable', 'An upstream system is under planned maintenance. Retry after `until`.'],
  store_unavailable: [
    503,
    'Service Unavailable',
    'Carts, orders and accounts cannot be read or written at the moment. Retry shortly.',
  ],
  catalog_loading: [503, 'Service Unavailable', 'The catalog is being loaded. Retry shortly.'],
  overloaded: [503, 'Service Unavailable', 'Too many calls are waiting. Retry shortly.'],
  downstream_timeout: [504, 'Gateway Timeout', 'An upstream system did not respond in time.'],
} as const satisfies Record<string, readonly [status: number, title: string, detail: string]>

export type ProblemCode = keyof typeof problemTypes

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
