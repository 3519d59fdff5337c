/** How long a response is served: while it is fresh, then while it is refreshed in the background. Its sections live longer. */
export interface FreshnessPolicy {
  freshMs: number
  staleMs: number
}

export const freshnessPolicies = {
  catalog: { freshMs: 10_000, staleMs: 60_000 },
  availability: { freshMs: 5_000, staleMs: 10_000 },
} as const satisfies Record<string, FreshnessPolicy>

/** Returns how long a response is served. `untilMs`: when its data expires, which also limits the policy. */
export const toCacheTimes = ({ freshMs, staleMs }: FreshnessPolicy, now: number, untilMs: number) => ({
  freshUntil: Math.min(now + freshMs, untilMs),
  staleUntil: Math.min(now + freshMs + staleMs, untilMs),
})
