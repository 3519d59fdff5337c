import { INCIDENT_QUIET_MS } from '../../storage/diagnostics/open-incidents.ts'

const INACTIVE_MS = 10_000

/** Returns whether an open incident has had no degraded response for so long that its current effect is unknown: sooner if its system responds. */
export const isIncidentInactive = (
  { lastAt, respondingSince }: { lastAt: number; respondingSince: number | null },
  now: number,
): boolean => now - lastAt > (respondingSince === null ? INACTIVE_MS : INCIDENT_QUIET_MS)
