/**
 * What a degraded response had in place of the section: an error, an order that accounting had not confirmed, nothing, some of the rows, or an
 * older value.
 */
export type DegradedEffect = 'refused' | 'unconfirmed' | 'missing' | 'partial' | 'older'

/** Degraded responses by operation and effect. There are no more entries than operations. */
export type DegradedResponseCounts = Record<string, Partial<Record<DegradedEffect, number>>>

/** Adds responses of an operation. */
export function addDegradedResponses(
  seen: DegradedResponseCounts,
  route: string,
  effect: DegradedEffect,
  count = 1,
): void {
  const ofRoute = seen[route] ?? {}
  ofRoute[effect] = (ofRoute[effect] ?? 0) + count
  seen[route] = ofRoute
}

export function mergeDegradedResponses(
  one: DegradedResponseCounts,
  other: DegradedResponseCounts,
): DegradedResponseCounts {
  const merged: DegradedResponseCounts = {}
  for (const seen of [one, other])
    for (const [route, effects] of Object.entries(seen))
      for (const [effect, count] of Object.entries(effects))
        addDegradedResponses(merged, route, effect as DegradedEffect, count)
  return merged
}
