const SILENT_MS = 10_000

/** Returns whether an open incident has had no degraded response for so long that its current effect is unknown. */
export const isIncidentSilent = ({ lastAt }: { lastAt: number }, now: number): boolean => now - lastAt > SILENT_MS
