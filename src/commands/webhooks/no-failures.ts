/** The failure columns of a subscription without failures. */
export const noFailures = { consecutive_failures: 0, exhausted: 0, failing_since: null } as const
