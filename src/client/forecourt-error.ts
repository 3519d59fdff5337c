import type { Cart, OrderStatus, ProblemCode, ValidationError } from './generated/types.gen.ts'

/** Codes that the client itself gives: a 422, no response, no response in time, or one that Forecourt did not write. */
export type ClientErrorCode = 'validation_error' | 'network_error' | 'timeout' | 'invalid_response'

export interface ForecourtErrorParts {
  status: number
  code: ProblemCode | ClientErrorCode
  detail: string
  hint?: string | null
  requestId?: string | null
  retryAfterMs?: number | null
  mistakes?: readonly ValidationError[]
  skus?: readonly string[]
  cart?: Cart | null
  orderId?: string | null
  currentStatus?: OrderStatus | null
  until?: string | null
  subscriptionId?: string | null
  cause?: unknown
}

/** A call that failed. */
export class ForecourtError extends Error {
  override readonly name = 'ForecourtError'
  /** 0 if there was no response. */
  declare readonly status: number
  declare readonly code: ProblemCode | ClientErrorCode
  /** For people; may change. */
  declare readonly detail: string
  /** The header `Forecourt-Hint`: what to change in the request. */
  declare readonly hint: string | null
  /** Quote it when you ask for help. */
  declare readonly requestId: string | null
  declare readonly retryAfterMs: number | null
  /** The mistakes of a 422. */
  declare readonly mistakes: readonly ValidationError[]
  /** With `line_unavailable`: the products that cannot be sold. */
  declare readonly skus: readonly string[]
  /** With `price_changed`: the cart at its new total. */
  declare readonly cart: Cart | null
  /** With `cart_converted`: the order that the cart became. */
  declare readonly orderId: string | null
  /** With `order_not_cancellable`: the status of the order. */
  declare readonly currentStatus: OrderStatus | null
  /** With `maintenance`: the time at which it ends. */
  declare readonly until: string | null
  /** With `subscription_exists`: that subscription. */
  declare readonly subscriptionId: string | null

  constructor({ cause, ...parts }: ForecourtErrorParts) {
    const { code, detail, hint } = parts
    super(`${code}: ${detail}${hint ? ` (${hint})` : ''}`, { cause })
    Object.assign(this, NONE, parts)
  }
}

const NONE = {
  hint: null,
  requestId: null,
  retryAfterMs: null,
  mistakes: [],
  skus: [],
  cart: null,
  orderId: null,
  currentStatus: null,
  until: null,
  subscriptionId: null,
}

/** Returns the error that a 4xx or 5xx describes. */
export function toForecourtError(status: number, headers: Headers, json: unknown, address: string): ForecourtError {
  const body: Record<string, unknown> = Object(json)
  const sent = readHeaders(headers)
  const parts = { ...sent, status, requestId: sent.requestId ?? toText(body.request_id) }
  if (isMistakes(body.detail)) {
    const mistakes = body.detail
    const detail = mistakes.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ')
    return new ForecourtError({ ...parts, code: 'validation_error', detail, mistakes })
  }
  if (typeof body.code !== 'string' || typeof body.detail !== 'string')
    return createInvalidResponse(status, headers, address, 'without a problem')
  return new ForecourtError({
    ...parts,
    code: body.code as ProblemCode,
    detail: body.detail,
    skus: Array.isArray(body.skus) ? body.skus.filter((sku) => typeof sku === 'string') : [],
    cart: toCart(body.cart),
    orderId: toText(body.order_id),
    currentStatus: toText(body.current_status) as OrderStatus | null,
    until: toText(body.until),
    subscriptionId: toText(body.subscription_id),
  })
}

/** Returns the error for a response that is not one of Forecourt. `what`: what it is. */
export const createInvalidResponse = (status: number, headers: Headers, address: string, what: string) =>
  new ForecourtError({
    ...readHeaders(headers),
    status,
    code: 'invalid_response',
    detail: `${address} responded with ${status}, ${what}: not a response of Forecourt`,
  })

const readHeaders = (headers: Headers) => ({
  hint: headers.get('forecourt-hint'),
  requestId: headers.get('x-request-id'),
  retryAfterMs: parseRetryAfter(headers.get('retry-after')),
})

const isMistakes = (detail: unknown): detail is ValidationError[] =>
  Array.isArray(detail) && detail.every((one) => isLocation(one?.loc) && typeof one.msg === 'string')

const isLocation = (loc: unknown) => Array.isArray(loc) && loc.every((part) => typeof part !== 'object')

const toText = (value: unknown): string | null => (typeof value === 'string' ? value : null)

const toCart = (value: unknown): Cart | null =>
  typeof value === 'object' && value !== null && 'cart_id' in value ? (value as Cart) : null

/** Seconds or a date. */
function parseRetryAfter(value: string | null): number | null {
  if (value === null) return null
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now()
  return Number.isNaN(ms) ? null : Math.max(0, ms)
}
