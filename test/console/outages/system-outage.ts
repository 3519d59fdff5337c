import type { FinishedRequest } from '../../../src/diagnostics/finished-request.ts'
import { UpstreamError, type UpstreamFailure } from '../../../src/errors.ts'
import type { CircuitName } from '../../../src/ports/circuit-name.ts'
import type { SourceName } from '../../../src/ports/system.ts'
import { type SectionTrace, toSectionTrace } from '../../../src/sections/section-trace.ts'
import { callTrace } from '../../diagnostics/diagnostics-setup.ts'

/** A failed section as the API traces it, so that its kind, code and cause are those of the real failure. */
export interface FailedSection {
  name: string
  system: SourceName
  failure: UpstreamFailure
  /** What the client says of the failure: an error code of Node.js, or `no response in 700 ms`. */
  summary?: string
  /** For an open circuit. */
  openedBy?: string
  /** The age of the older value that shoppers got. */
  staleMs?: number
}

export interface SystemOutage {
  name: string
  merchant?: string
  /** How its responses failed, one after the other. */
  responses: readonly (Partial<FinishedRequest> & { failed: readonly FailedSection[] })[]
  /** The list of incidents around the time, and the page of the incident: what failed, whom it hit, what shoppers saw, what to do. */
  list: readonly string[]
  page: readonly string[]
}

const RESPONSE_MS = 700
/** A response that makes no call is quick. */
const PAUSED_MS = 3

export function traceFailure(
  { name, system, failure, summary, openedBy, staleMs }: FailedSection,
  now: number,
  ms = RESPONSE_MS,
): SectionTrace {
  const error = new UpstreamError(failure, 'the text of the system', {
    ...(summary && { summary }),
    ...(openedBy && { openedBy }),
  })
  error.system = system
  const stale = staleMs !== undefined
  return toSectionTrace(
    name,
    { value: null, error, stale, partial: false, asOf: stale ? now - staleMs : 0, system },
    ms,
  )
}

/** Returns the responses of an outage as the API records them. The first ends at `beganAt`, and each a second after the one before. */
export function toRequests({ responses }: SystemOutage, beganAt: number): Partial<FinishedRequest>[] {
  return responses.map(({ failed, ...rest }, index) => {
    const at = beganAt + index * 1_000
    const isPaused = failed.every(({ failure }) => failure === 'circuit_open')
    const ms = rest.ms ?? (isPaused ? PAUSED_MS : RESPONSE_MS)
    const called = new Map(failed.map((section) => [toOperation(section.name), section]))
    const calls = [...called].map(([operation, { system, failure }]) =>
      callTrace({
        ...{ system, operation, ...toSearchCircuit(operation), outcome: failure },
        ...{ at: at - ms, ms: ms - 1, attempts: isPaused ? 0 : 1 },
      }),
    )
    return { ms, sections: failed.map((section) => traceFailure(section, at, ms)), calls, ...rest }
  })
}

/** The operations that fill these sections. */
const operations: Readonly<Record<string, string>> = {
  product: 'items',
  availability: 'items',
  price: 'prices',
  tax: 'taxes',
  data: 'search',
  pricing: 'quote',
  checkout: 'placeOrder',
}

export const toOperation = (section: string): string => operations[section] ?? section

/** Searches have a circuit of their own. */
export const toSearchCircuit = (operation: string): { circuit?: CircuitName } =>
  operation === 'search' ? { circuit: 'inventory-search' } : {}
