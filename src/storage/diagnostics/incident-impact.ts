import {
  addToSketch,
  createSketch,
  type DistinctSketch,
  decodeSketch,
  encodeSketch,
  mergeSketches,
} from './distinct-sketch.ts'

/** The shoppers and carts that degraded responses affected. */
export interface IncidentImpact {
  /** Signed-in customers, and other clients by their address. */
  shoppers: DistinctSketch
  carts: DistinctSketch
  /** A few of the carts, to estimate what they are worth. */
  cartIds: string[]
  /** Responses that were filled from an older value. */
  stale: number
  /** The age of the oldest of these values. */
  oldestMs: number
}

/** One degraded response. */
export interface ReachedClient {
  shopper: string
  cartId: string | null
  /** The age of the older value that it got; `null`: it got none. */
  staleMs: number | null
}

const MAX_CART_IDS = 100

export const createImpact = (): IncidentImpact => ({
  shoppers: createSketch(),
  carts: createSketch(),
  cartIds: [],
  stale: 0,
  oldestMs: 0,
})

export function addToImpact(impact: IncidentImpact, { shopper, cartId, staleMs }: ReachedClient): void {
  addToSketch(impact.shoppers, shopper)
  if (cartId !== null) {
    addToSketch(impact.carts, cartId)
    if (impact.cartIds.length < MAX_CART_IDS && !impact.cartIds.includes(cartId)) impact.cartIds.push(cartId)
  }
  if (staleMs === null) return
  impact.stale += 1
  impact.oldestMs = Math.max(impact.oldestMs, Math.round(staleMs))
}

export const mergeImpacts = (one: IncidentImpact, other: IncidentImpact): IncidentImpact => ({
  shoppers: mergeSketches(one.shoppers, other.shoppers),
  carts: mergeSketches(one.carts, other.carts),
  cartIds: [...new Set([...one.cartIds, ...other.cartIds])].slice(0, MAX_CART_IDS),
  stale: one.stale + other.stale,
  oldestMs: Math.max(one.oldestMs, other.oldestMs),
})

interface StoredImpact extends Omit<IncidentImpact, 'shoppers' | 'carts'> {
  shoppers: string
  carts: string
}

export const stringifyImpact = ({ shoppers, carts, ...rest }: IncidentImpact): string =>
  JSON.stringify({ ...rest, shoppers: encodeSketch(shoppers), carts: encodeSketch(carts) } satisfies StoredImpact)

/** `null`: an earlier release wrote the incident. */
export function parseImpact(text: string | null): IncidentImpact | null {
  if (text === null) return null
  const { shoppers, carts, ...rest } = JSON.parse(text) as StoredImpact
  return { ...rest, shoppers: decodeSketch(shoppers), carts: decodeSketch(carts) }
}
