import type { CircuitChange } from '../../diagnostics/reports/incidents.ts'
import { formatNumber } from './format-numbers.ts'

/** What the states of a circuit mean for the calls to its system. The page of the calls explains the term. */
export const callPauseTexts = {
  open: 'Calls paused',
  'half-open': 'Trying calls again',
  held_open: 'Calls stopped',
  held_closed: 'Calls forced',
} as const

/** The circuit stays open for a second at first, and up to three. */
export const CALL_PAUSE_HINT =
  'While calls are paused, a single call is tried every few seconds. After two successes in a row, calls are made again.'

const changeTexts: Readonly<Record<CircuitChange['state'], (by: string) => string>> = {
  open: () => 'paused: the system failed too often',
  closed: () => 'resumed: calls are made again',
  held_open: (by) => `stopped by ${by}: no calls are made`,
  held_closed: (by) => `forced by ${by}: calls are made even if they fail`,
  released: (by) =>
    by ? `released by ${by}: Forecourt decides again` : 'released: the time that the operator chose has ended',
}

/** Says how a change of a circuit affects the calls to its system, and which failures caused it. */
export function describeCallChange({ circuit, state, by, causes }: CircuitChange, system: string): string {
  const text = causes.length > 0 ? describePause(causes) : changeTexts[state](by ?? '')
  return circuit === system ? text : `searches ${text}`
}

function describePause(causes: CircuitChange['causes']): string {
  const counts = causes.map(({ kind, count }) => `${formatNumber(count)} × ${kind}`).join(', ')
  return `paused after ${counts}, calls in the background included`
}
