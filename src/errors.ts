import type { ValidationItem } from './contract/validation.ts'
import type { PortName } from './ports/system.ts'

/** Why an upstream system did not give what it was asked for. */
export type UpstreamFailure =
  | 'timeout'
  | 'unavailable'
  | 'error'
  | 'invalid'
  /** It answered, and refused the question (4xx): says nothing of its health. */
  | 'rejected'
  | 'rate_limited'
  | 'circuit_open'
  | 'overloaded'
  | 'not_configured'
  | 'aborted'

/** `message` is for the log: it may quote what the system said, and never reaches a client. */
export class UpstreamError extends Error {
  readonly failure: UpstreamFailure
  /** When the system, or the breaker in front of it, may be worth another call. */
  readonly retryAfterMs: number | undefined
  /** True when the request cannot have been acted upon, or acting twice is harmless, and another try may succeed. */
  readonly retryable: boolean
  /** What is known of it in words of our own (`answered 503`, `ECONNREFUSED`), which may be shown to those on call. */
  readonly said: string | null
  /** It was asked for by X-Sandbox-Fault. */
  readonly simulated: boolean
  /** Whose failure it is; else set by whoever asked the system. */
  system: PortName | null

  constructor(
    failure: UpstreamFailure,
    message: string,
    options: {
      cause?: unknown
      retryAfterMs?: number | undefined
      retryable?: boolean
      said?: string
      simulated?: boolean
      system?: PortName
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'UpstreamError'
    this.failure = failure
    this.retryAfterMs = options.retryAfterMs
    this.retryable = options.retryable ?? false
    this.said = options.said ?? null
    this.simulated = options.simulated ?? false
    this.system = options.system ?? null
  }
}

/** Every failure that the API can answer, other than 422: its status, title and the sentence a caller reads when nothing more exact is said. */
export const problemTypes = {
  missing_api_key: [401, 'Unauthorized', 'Send your API key as Authorization: Bearer <key>.'],
  invalid_api_key: [401, 'Unauthorized', 'The API key is not valid.'],
  missing_shopper_token: [401, 'Unauthorized', 'Send the shopper token as X-Storefront-Shopper-Token.'],
  invalid_shopper_token: [401, 'Unauthorized', 'The shopper token is not valid.'],
  invalid_credentials: [401, 'Unauthorized', 'The address or the password is not right.'],
  invalid_refresh_token: [401, 'Unauthorized', 'The refresh token is not valid; sign in again.'],
  invalid_signature: [401, 'Unauthorized', 'The signature is missing, or is not of this body and secret.'],
  publishable_key_not_allowed: [403, 'Forbidden', 'This call needs a secret key, sent from a server.'],
  insufficient_scope: [403, 'Forbidden', 'The API key does not have the scope that this call needs.'],
  origin_not_allowed: [403, 'Forbidden', 'This origin is not on the allowlist of the API key.'],
  shopper_merchant_mismatch: [403, 'Forbidden', 'The shopper token belongs to another merchant.'],
  not_found: [404, 'Not Found', 'Not found.'],
  method_not_allowed: [405, 'Method Not Allowed', 'This path does not answer that method; see the Allow header.'],
  idempotency_in_flight: [409, 'Conflict', 'A request with this Idempotency-Key is under way; ask again shortly.'],
  cart_converted: [409, 'Conflict', 'This cart was checked out; make a new one.'],
  cart_empty: [409, 'Conflict', 'There is nothing in this cart.'],
  cart_full: [409, 'Conflict', 'A cart holds 200 lines at the most.'],
  price_changed: [409, 'Conflict', 'The total is higher than expected_total; show the cart again.'],
  line_unavailable: [409, 'Conflict', 'A line of this cart cannot be sold now; see skus.'],
  account_on_hold: [409, 'Conflict', 'This account is on hold; the shop can say why.'],
  payment_method_not_allowed: [409, 'Conflict', 'This account may not pay in that way.'],
  order_not_cancellable: [409, 'Conflict', 'This order can no longer be cancelled; see current_status.'],
  subscription_exists: [409, 'Conflict', 'There is a subscription for this URL already; see subscription_id.'],
  subscription_limit: [409, 'Conflict', 'There are 20 subscriptions, which is the most; delete one.'],
  subscription_disabled: [409, 'Conflict', 'This subscription is disabled; enable it first.'],
  cart_expired: [410, 'Gone', 'This cart has expired; make a new one.'],
  cart_version_mismatch: [412, 'Precondition Failed', 'The cart has changed since; read it again.'],
  payload_too_large: [413, 'Content Too Large', 'The request body is larger than 1 MiB.'],
  unsupported_media_type: [415, 'Unsupported Media Type', 'This content encoding is not understood.'],
  rate_limited: [429, 'Too Many Requests', 'The rate limit of the API key is used up; see Retry-After.'],
  internal_error: [500, 'Internal Server Error', 'Something went wrong here. Quote request_id when you report it.'],
  downstream_error: [502, 'Bad Gateway', 'A system behind this call answered with an error.'],
  downstream_unavailable: [503, 'Service Unavailable', 'A system behind this call cannot be reached.'],
  circuit_open: [
    503,
    'Service Unavailable',
    'A system behind this call is failing and is being given time to recover.',
  ],
  overloaded: [503, 'Service Unavailable', 'Too many calls are waiting; try again shortly.'],
  downstream_timeout: [504, 'Gateway Timeout', 'A system behind this call did not answer in time.'],
} as const satisfies Record<string, readonly [status: number, title: string, detail: string]>

export type ProblemCode = keyof typeof problemTypes

/** Thrown anywhere below `http/problems.ts`, which answers it. `detail` is read by clients. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly status: number
  readonly detail: string
  readonly headers: Record<string, string>
  /** What the body says beside. */
  readonly members: Record<string, unknown>

  constructor(
    code: ProblemCode,
    detail?: string,
    options: { headers?: Record<string, string>; members?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(detail ?? problemTypes[code][2], { cause: options.cause })
    this.name = 'Problem'
    this.code = code
    this.status = problemTypes[code][0]
    this.detail = detail ?? problemTypes[code][2]
    this.headers = options.headers ?? {}
    this.members = options.members ?? {}
  }
}

/** A request that does not fit its schemas, or a rule beyond them: 422. */
export class InvalidInput extends Error {
  readonly detail: readonly ValidationItem[]

  constructor(detail: readonly ValidationItem[]) {
    super('invalid request')
    this.name = 'Invalid'
    this.detail = detail
  }
}
