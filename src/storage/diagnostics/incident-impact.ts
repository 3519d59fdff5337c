import {
  addDegradedResponses,
  type DegradedEffect,
  type DegradedResponseCounts,
  mergeDegradedResponses,
} from './degraded-response-counts.ts'
import {
  addToSketch,
  countSketch,
  createSketch,
  type DistinctSketch,
  decodeSketch,
  encodeSketch,
  mergeSketches,
} from './distinct-sketch.ts'
import { addMerchantResponses, mergeMerchantResponses, type ResponsesByMerchant } from './merchant-response-counts.ts'

/** The shoppers and carts that degraded responses affected. */
export interface IncidentImpact {
  /** Signed-in customers, and other clients by their address. */
  shoppers: DistinctSketch
  carts: DistinctSketch
  /** Of the first hundred carts, to estimate what all are worth. */
  cartIds: string[]
  /** Checkouts that were refused: no order was stored. */
  refusedCheckouts: number
  /** Carts of these checkouts, up to a hundred. */
  refusedCartIds: string[]
  /** What shoppers saw. Empty: an earlier release wrote the incident. */
  seen: DegradedResponseCounts
  /** Only of an incident of all merchants. */
  merchants: ResponsesByMerchant
  /** Responses that were filled from an older value. */
  stale: number
  /** The age of the oldest of these values. */
  oldestMs: number
  /** When the oldest of these values that came from a catalog mirror was read (milliseconds since the epoch); absent: none did. */
  mirrorAsOf?: number | undefined
}

/** One degraded response. */
export interface ReachedClient {
  shopper: string
  cartId: string | null
  isRefusedCheckout: boolean
  /** What was asked. */
  route: string
  effect: DegradedEffect
  /** `null`: the incident concerns one merchant, or the request had no valid key. */
  merchant: string | null
  /** The age of the older value that it got; `null`: it got none. */
  staleMs: number | null
  /** When an older value of a catalog mirror was read; absent: it got none. */
  mirrorAsOf?: number | undefined
}

export const MAX_CART_IDS = 100

export const createImpact = (): IncidentImpact => ({
  shoppers: createSketch(),
  carts: createSketch(),
  cartIds: [],
  refusedCheckouts: 0,
  refusedCartIds: [],
  seen: {},
  merchants: {},
  stale: 0,
  oldestMs: 0,
})

export function addToImpact(
  impact: IncidentImpact,
  { shopper, cartId, isRefusedCheckout, route, effect, merchant, staleMs, mirrorAsOf }: ReachedClient,
): void {
  addToSketch(impact.shoppers, shopper)
  addDegradedResponses(impact.seen, route, effect)
  if (merchant !== null) addMerchantResponses(impact.merchants, merchant)
  if (cartId !== null) {
    addToSketch(impact.carts, cartId)
    addCartId(impact.cartIds, cartId)
    if (isRefusedCheckout) addCartId(impact.refusedCartIds, cartId)
  }
  if (isRefusedCheckout) impact.refusedCheckouts += 1
  if (staleMs === null) return
  impact.stale += 1
  impact.oldestMs = Math.max(impact.oldestMs, Math.round(staleMs))
  if (mirrorAsOf !== undefined) impact.mirrorAsOf = Math.min(impact.mirrorAsOf ?? mirrorAsOf, mirrorAsOf)
}

function addCartId(cartIds: string[], cartId: string): void {
  if (cartIds.length < MAX_CART_IDS && !cartIds.includes(cartId)) cartIds.push(cartId)
}

/** Returns how many carts were affected: about how many, if there are more than the impact has ids of. */
export const countCarts = ({ carts, cartIds }: Pick<IncidentImpact, 'carts' | 'cartIds'>): number =>
  cartIds.length < MAX_CART_IDS ? cartIds.length : Math.max(MAX_CART_IDS, countSketch(carts))

const mergeCartIds = (one: readonly string[], other: readonly string[]) =>
  [...new Set([...one, ...other])].slice(0, MAX_CART_IDS)

export const mergeImpacts = (one: IncidentImpact, other: IncidentImpact): IncidentImpact => ({
  shoppers: mergeSketches(one.shoppers, other.shoppers),
  carts: mergeSketches(one.carts, other.carts),
  cartIds: mergeCartIds(one.cartIds, other.cartIds),
  refusedCheckouts: one.refusedCheckouts + other.refusedCheckouts,
  refusedCartIds: mergeCartIds(one.refusedCartIds, other.refusedCartIds),
  seen: mergeDegradedResponses(one.seen, other.seen),
  merchants: mergeMerchantResponses(one.merchants, other.merchants),
  stale: one.stale + other.stale,
  oldestMs: Math.max(one.oldestMs, other.oldestMs),
  ...mergeMirrorAsOf(one.mirrorAsOf, other.mirrorAsOf),
})

function mergeMirrorAsOf(...times: (number | undefined)[]): Pick<IncidentImpact, 'mirrorAsOf'> {
  const known = times.filter((at) => at !== undefined)
  return known.length === 0 ? {} : { mirrorAsOf: Math.min(...known) }
}

/** Earlier releases did not count these. */
type LaterCounts = 'refusedCheckouts' | 'refusedCartIds' | 'seen' | 'merchants'

interface StoredImpact
  extends Omit<IncidentImpact, 'shoppers' | 'carts' | LaterCounts>,
    Partial<Pick<IncidentImpact, LaterCounts>> {
  shoppers: string
  carts: string
}

export const stringifyImpact = ({ shoppers, carts, ...rest }: IncidentImpact): string =>
  JSON.stringify({ ...rest, shoppers: encodeSketch(shoppers), carts: encodeSketch(carts) } satisfies StoredImpact)

/** `null`: an earlier release wrote the incident. */
export function parseImpact(text: string | null): IncidentImpact | null {
  if (text === null) return null
  const { shoppers, carts, ...counts } = JSON.parse(text) as StoredImpact
  const later: Pick<IncidentImpact, LaterCounts> = { refusedCheckouts: 0, refusedCartIds: [], seen: {}, merchants: {} }
  return { ...later, ...counts, shoppers: decodeSketch(shoppers), carts: decodeSketch(carts) }
}
