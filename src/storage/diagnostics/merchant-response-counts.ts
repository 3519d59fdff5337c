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
