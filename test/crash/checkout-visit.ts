import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { SeededRandom } from './seeded-random.ts'

export interface Shopper {
  customerId: string
  token: string
}

/** How one shopper's visit ended, as the shopper knows it. */
export interface CheckoutVisit {
  shopper: Shopper
  cartId: string
  /** Every answer that ended a try, the text as it came, with the key that was sent. */
  answers: { status: number; text: string; key: string | null }[]
}

export interface Shop {
  /** Any of the processes that serve the store. */
  address(): string
  key: string
  random: SeededRandom
  /** What is bought; the embedded systems' goods, when it is not said. */
  skus?: readonly string[]
  /** Told of every try, and how long it took. */
  seen?(tried: { method: string; path: string; status: number; body: string; ms: number }): void
}

const SKUS = ['BP-1001', 'BP-1012', 'OL-1001', 'BP-1002']
const PATIENCE_MS = 1_500_000

/** What a storefront tries again: nothing came back, or it was told to come back. */
const again = (status: number) => status === 0 || status === 429 || status >= 500

/** A cart of one to three lines, checked out in one or more tabs at once, each trying until it is told how it ended. */
export async function runCheckoutVisit(shop: Shop, shopper: Shopper): Promise<CheckoutVisit> {
  const { random } = shop
  const { body } = await requestUntilFinal(shop, shopper, 'POST', '/v1/carts', undefined, null)
  const { cart_id: cartId } = JSON.parse(body) as { cart_id: string }
  for (let line = random.between(1, 3); line > 0; line--) {
    const input = { sku: random.of(shop.skus ?? SKUS), quantity: random.between(1, 3) }
    await requestUntilFinal(shop, shopper, 'POST', `/v1/carts/${cartId}/lines`, input, randomUUID())
  }
  const tabs = random.of([1, 1, 1, 2, 3])
  const answers = await Promise.all(Array.from({ length: tabs }, () => checkOut(shop, shopper, cartId)))
  return { shopper, cartId, answers }
}

async function checkOut(shop: Shop, shopper: Shopper, cartId: string) {
  const key = shop.random.next() < 0.6 ? randomUUID() : null
  const { status, body } = await requestUntilFinal(shop, shopper, 'POST', '/v1/checkout', { cart_id: cartId }, key)
  return { status, text: body, key }
}

export interface StorefrontResponse {
  status: number
  body: string
  replayed: boolean
}

/** Asks until there is an answer that ends it. */
export async function requestUntilFinal(
  shop: Shop,
  shopper: Shopper,
  method: string,
  path: string,
  input: unknown,
  key: string | null,
): Promise<StorefrontResponse> {
  const end = performance.now() + PATIENCE_MS
  let last = 'nothing'
  while (performance.now() < end) {
    const told = await requestOnce(shop, shopper, method, path, input, key)
    last = `${told.status} ${told.body}`
    const inFlight = told.status === 409 && told.body.includes('"idempotency_in_flight"')
    if (!again(told.status) && !inFlight) return told
    await pause(shop.random.between(20, 120))
  }
  throw new Error(`${method} ${path} was tried in vain for ${PATIENCE_MS} ms; the last answer: ${last}`)
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
  const seen = (status: number, text: string) =>
    shop.seen?.({ method, path, status, body: text, ms: performance.now() - startedAt })
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
    seen(reply.status, text)
    return { status: reply.status, body: text, replayed }
  } catch {
    seen(0, '')
    return { status: 0, body: '', replayed: false }
  }
}
