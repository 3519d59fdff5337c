import type { Mode } from '../../config/config.ts'

/** What one process knows of the last minute: kept in the store for the pages that other processes serve. */
export interface ProcessState {
  process: string
  /** Milliseconds since the epoch. */
  at: number
  /** Those with an answer or a call in the last minute, or an open circuit. */
  owners: TenantState[]
}

export interface TenantState {
  tenant: string
  mode: Mode
  /** All of them, from the cache or not. */
  answers: number
  degraded: number
  systems: SystemState[]
  shown: SectionImpact[]
}

export interface SystemState {
  system: string
  /** As far as calls have told; half-open counts as open. */
  open: boolean
  calls: number
  failed: number
  /** How many calls took so long, by LATENCY_BOUNDS_MS; the last is above all bounds. Those that were never sent are not in it. */
  latency: number[]
}

/** How a section of a route was degraded. */
export interface SectionImpact {
  route: string
  section: string
  system: string
  /** Answers that failed with it. */
  refused: number
  /** Answers without it, or without some of its rows. */
  missing: number
  /** Answers in which it was filled from what was last good. */
  stale: number
  /** Of what was filled so, the oldest (milliseconds since the epoch); `null`: unknown. */
  oldestAsOf: number | null
}
