/**
 * What a degraded response had in place of the section: an error, an order that accounting had not confirmed, nothing, some of the rows, or an
 * older value.
 */
export type SeenEffect = 'refused' | 'unconfirmed' | 'missing' | 'partial' | 'older'

/** Degraded responses by operation and effect. There are no more entries than operations. */
export type SeenResponses = Record<string, Partial<Record<SeenEffect, number>>>

/** Adds responses of an operation. */
export function addSeenResponses(seen: SeenResponses, route: string, effect: SeenEffect, count = 1): void {
  const ofRoute = seen[route] ?? {}
  ofRoute[effect] = (ofRoute[effect] ?? 0) + count
  seen[route] = ofRoute
}

export function mergeSeenResponses(one: SeenResponses, other: SeenResponses): SeenResponses {
  const merged: SeenResponses = {}
  for (const seen of [one, other])
    for (const [route, effects] of Object.entries(seen))
      for (const [effect, count] of Object.entries(effects))
        addSeenResponses(merged, route, effect as SeenEffect, count)
  return merged
}

/** A store has few merchants. Those beyond are not told apart. */
const MAX_MERCHANTS = 100

/** Responses by merchant, of an incident that concerns all of them. */
export type ResponsesByMerchant = Record<string, number>

export function addMerchantResponses(counts: ResponsesByMerchant, merchant: string, count = 1): void {
  const before = counts[merchant]
  if (before === undefined && Object.keys(counts).length >= MAX_MERCHANTS) return
  counts[merchant] = (before ?? 0) + count
}

export function mergeMerchantResponses(one: ResponsesByMerchant, other: ResponsesByMerchant): ResponsesByMerchant {
  const merged = { ...one }
  for (const [merchant, count] of Object.entries(other)) addMerchantResponses(merged, merchant, count)
  return merged
}
