import { type FailureStreakLimits, failureStreakDefaults } from './failure-streak.ts'

export interface BreakerLimits extends FailureStreakLimits {
  /** Percentage of failed calls in the window that opens the circuit, 0 to 100. */
  failurePercentage: number
  /** With fewer calls in the window, only a streak of failures opens the circuit. */
  minimumCalls: number
  windowMs: number
  /** How long the circuit stays open at first. Each failed probe makes this half as long again, up to `maxOpenMs`. */
  openMs: number
  maxOpenMs: number
  /** Successful probes, one after the other, that close the circuit. */
  probes: number
  /** A probe that has not ended after this time is replaced by another. */
  probeLeaseMs: number
  /** A half-open circuit that no call has used for this long closes. The next failure opens it again. */
  idleMs: number
}

export const breakerDefaults: BreakerLimits = {
  ...failureStreakDefaults,
  failurePercentage: 20,
  minimumCalls: 10,
  windowMs: 3_000,
  openMs: 1_000,
  maxOpenMs: 3_000,
  probes: 2,
  probeLeaseMs: 2_000,
  idleMs: 30_000,
}
