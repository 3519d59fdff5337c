const INACTIVE_MS = 10_000

/** Returns whether an open incident has had no degraded response for so long that its current effect is unknown. */
export const isIncidentInactive = ({ lastAt }: { lastAt: number }, now: number): boolean => now - lastAt > INACTIVE_MS
