import type { Cart, ProblemCode, ValidationError } from './generated/types.gen.ts'

/** Codes that the client itself gives: a 422, no response, no response in time, or one that Forecourt did not write. */
export type ClientErrorCode = 'validation_error' | 'network_error' | 'timeout' | 'invalid_response'

export interface ForecourtErrorParts {
  status: number
  code: ProblemCode | ClientErrorCode
  detail: string
  requestId?: string | null
  retryAfterMs?: number | null
  mistakes?: readonly ValidationError[]
  skus?: readonly string[]
  cart?: Cart | null
  orderId?: string | null
  subscriptionId?: string | null
  cause?: unknown
}

/** A call that failed. */
export class ForecourtError extends Error {
  override readonly name = 'ForecourtError'
  /** 0 if there was no response. */
  readonly status: number
  readonly code: ProblemCode | ClientErrorCode
  /** For people; may change. */
  readonly detail: string
  /** Quote it when you ask for help. */
  readonly requestId: string | null
  readonly retryAfterMs: number | null
  /** The mistakes of a 422. */
  readonly mistakes: readonly ValidationError[]
  /** The products that cannot be sold, with the code `line_unavailable`. */
  readonly skus: readonly string[]
  /** The cart at its new total, with the code `price_changed`. */
  readonly cart: Cart | null
  /** The order that the cart became, with the code `cart_converted`. */
  readonly orderId: string | null
  /** The subscription that exists, with the code `subscription_exists`. */
  readonly subscriptionId: string | null

  constructor(parts: ForecourtErrorParts) {
    const { status, code, detail, requestId, retryAfterMs, mistakes, skus, cart, orderId, subscriptionId } = parts
    super(`${code}: ${detail}`, { cause: parts.cause })
    this.status = status
    this.code = code
    this.detail = detail
    this.requestId = requestId ?? null
    this.retryAfterMs = retryAfterMs ?? null
    this.mistakes = mistakes ?? []
    this.skus = skus ?? []
    this.cart = cart ?? null
    this.orderId = orderId ?? null
    this.subscriptionId = subscriptionId ?? null
  }
}

/** Returns the error that a response with a 4xx or 5xx describes. */
export function toForecourtError(status: number, headers: Headers, text: string): ForecourtError {
  const retryAfterMs = parseRetryAfter(headers.get('retry-after'))
  const body = parseObject(text)
  const requestId = headers.get('x-request-id') ?? (typeof body?.request_id === 'string' ? body.request_id : null)
  if (Array.isArray(body?.detail)) {
    const mistakes = body.detail as ValidationError[]
    const detail = mistakes.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ')
    return new ForecourtError({ status, code: 'validation_error', detail, requestId, mistakes })
  }
  if (typeof body?.code !== 'string') {
    const detail = `${status} without a problem`
    return new ForecourtError({ status, code: 'invalid_response', detail, requestId, retryAfterMs })
  }
  const { code, detail } = body as { code: ProblemCode; detail: string }
  return new ForecourtError({
    status,
    code,
    detail: String(detail),
    requestId,
    retryAfterMs,
    skus: Array.isArray(body.skus) ? body.skus.map(String) : [],
    cart: toCart(body.cart),
    orderId: toId(body.order_id),
    subscriptionId: toId(body.subscription_id),
  })
}

const toId = (value: unknown): string | null => (typeof value === 'string' ? value : null)

const toCart = (value: unknown): Cart | null =>
  typeof value === 'object' && value !== null && 'cart_id' in value ? (value as Cart) : null

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' ? (body as Record<string, unknown>) : null
  } catch {
    return null
  }
}

/** Seconds or a date. */
function parseRetryAfter(value: string | null): number | null {
  if (value === null) return null
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now()
  return Number.isNaN(ms) ? null : Math.max(0, ms)
}
