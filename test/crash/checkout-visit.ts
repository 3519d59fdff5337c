import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { randomBase62 } from '../../src/security/base62.ts'
import { sha256Hex } from '../../src/security/sha256.ts'
import type { Database } from '../../src/storage/database.ts'
import type { SeededRandom } from './seeded-random.ts'

export interface Shopper {
  customerId: string
  token: string
}

/** Signs a customer of merchant acme in, in sandbox mode. */
export async function createShopperSession(db: Database, customerId: string): Promise<Shopper> {
  const token = randomBase62(43)
  const times = { created_at: '2026-01-01T00:00:00.000Z', expires_at: '2999-01-01T00:00:00.000Z' }
  const row = {
    digest: sha256Hex(token),
    tenant_id: 'acme',
    mode: 'sandbox' as const,
    customer_id: customerId,
    ...times,
  }
  await db.insertInto('shopper_sessions').values(row).execute()
  return { customerId, token }
}

/** One shopper's visit, with the responses that the shopper got. */
export interface CheckoutVisit {
  shopper: Shopper
  cartId: string
  /** What every tab sends to checkout. */
  input: CheckoutInput
  /** The final response of each tab, with the idempotency key that was sent. */
  checkouts: { status: number; text: string; key: string | null }[]
}

export interface CheckoutInput {
  cart_id: string
  delivery_option_id?: string
  pickup_place_id?: string
}

export interface Shop {
  /** The address of any process of the store. */
  address(): string
  key: string
  random: SeededRandom
  /** The SKUs to buy; default: products of the sandbox. */
  skus?: readonly string[]
  /** The deliveries to choose from; default: none is chosen. */
  deliveries?: readonly Omit<CheckoutInput, 'cart_id'>[]
  /** Called after every attempt, with its duration. */
  onAttempt?(attempt: { method: string; path: string; status: number; body: string; ms: number }): void
}

const SKUS = ['BP-1001', 'BP-1012', 'OL-1001', 'BP-1002']
const TIMEOUT_MS = 1_500_000

/** Returns true for a status that a storefront retries; 0: no response. */
const isRetried = (status: number) => status === 0 || status === 429 || status >= 500

/** Creates a cart of one to three lines and checks it out in one or more tabs at once. Each tab retries until the result is final. */
export async function runCheckoutVisit(shop: Shop, shopper: Shopper): Promise<CheckoutVisit> {
  const { random } = shop
  const { body } = await requestUntilFinal(shop, shopper, 'POST', '/v1/carts', undefined, null)
  const { cart_id: cartId } = JSON.parse(body) as { cart_id: string }
  for (let line = random.between(1, 3); line > 0; line--) {
    const input = { sku: random.of(shop.skus ?? SKUS), quantity: random.between(1, 3) }
    await requestUntilFinal(shop, shopper, 'POST', `/v1/carts/${cartId}/lines`, input, randomUUID())
  }
  const input = { cart_id: cartId, ...random.of(shop.deliveries ?? [{}]) }
  const tabs = random.of([1, 1, 1, 2, 3])
  const checkouts = await Promise.all(Array.from({ length: tabs }, () => checkOutOnce(shop, shopper, input)))
  return { shopper, cartId, input, checkouts }
}

async function checkOutOnce(shop: Shop, shopper: Shopper, input: CheckoutInput) {
  const key = shop.random.next() < 0.6 ? randomUUID() : null
  const { status, body } = await requestUntilFinal(shop, shopper, 'POST', '/v1/checkout', input, key)
  return { status, text: body, key }
}

export interface StorefrontResponse {
  status: number
  body: string
  replayed: boolean
}

/** Repeats a request until its response is final. */
export async function requestUntilFinal(
  shop: Shop,
  shopper: Shopper,
  method: string,
  path: string,
  input: unknown,
  key: string | null,
): Promise<StorefrontResponse> {
  const deadline = performance.now() + TIMEOUT_MS
  let last = 'none'
  while (performance.now() < deadline) {
    const response = await requestOnce(shop, shopper, method, path, input, key)
    last = `${response.status} ${response.body}`
    const inFlight = response.status === 409 && response.body.includes('"idempotency_in_flight"')
    if (!isRetried(response.status) && !inFlight) return response
    await pause(shop.random.between(20, 120))
  }
  throw new Error(`${method} ${path} had no final response within ${TIMEOUT_MS} ms; the last one: ${last}`)
}

export async function requestOnce(
  shop: Shop,
  shopper: Shopper,
  method: string,
  path: string,
  input: unknown,
  key: string | null,
): Promise<StorefrontResponse> {
  const startedAt = performance.now()
  const report = (status: number, text: string) =>
    shop.onAttempt?.({ method, path, status, body: text, ms: performance.now() - startedAt })
  try {
    const reply = await fetch(shop.address() + path, {
      method,
      headers: {
        authorization: `Bearer ${shop.key}`,
        'x-storefront-shopper-token': shopper.token,
        ...(input !== undefined && { 'content-type': 'application/json' }),
        ...(key !== null && { 'idempotency-key': key }),
      },
      ...(input !== undefined && { body: JSON.stringify(input) }),
      signal: AbortSignal.timeout(120_000),
    })
    const replayed = reply.headers.get('idempotent-replayed') === 'true'
    const text = await reply.text()
    report(reply.status, text)
    return { status: reply.status, body: text, replayed }
  } catch {
    report(0, '')
    return { status: 0, body: '', replayed: false }
  }
}
