import { createDiagnostics, type Diagnostics } from '../../src/diagnostics/diagnostics.ts'
import type { RequestOutcome } from '../../src/diagnostics/request-outcome.ts'
import type { SectionTrace } from '../../src/sections/section.ts'
import type { Database } from '../../src/storage/database.ts'
import type { CallTrace } from '../../src/upstream/call-trace.ts'

export const START_MS = Date.parse('2026-11-21T14:05:00.000Z')

/** Processes on one store, by a clock that is set by hand. */
export interface DiagnosticsSetup {
  now: number
  /** Milliseconds later. */
  after(ms: number): void
  process(db: Database, name?: string): Diagnostics
  /** What the processes could not write. */
  errors: unknown[]
}

export function createDiagnosticsSetup(): DiagnosticsSetup {
  const scene: DiagnosticsSetup = {
    now: START_MS,
    errors: [],
    after(ms) {
      scene.now += ms
    },
    process: (db, name = 'one') =>
      createDiagnostics({
        ...{ db, process: name, timed: false, now: () => scene.now },
        onError: (error) => scene.errors.push(error),
      }),
  }
  return scene
}

export const requestOutcome = (of: Partial<RequestOutcome> = {}): RequestOutcome => ({
  ...{ requestId: 'req-1', mode: 'live', tenant: 'acme', keyId: 'key_1', method: 'GET', url: '/v1/products/BP-1' },
  ...{ route: 'getProduct', status: 200, ms: 12, cache: 'miss', deadlineMs: 2_500, sections: [], calls: [] },
  ...of,
})

export const cacheHitOutcome = (of: Partial<RequestOutcome> = {}): RequestOutcome => {
  const { sections: _, calls: __, deadlineMs: ___, ...rest } = requestOutcome({ ms: 0.2, cache: 'hit' })
  return { ...rest, ...of }
}

export const okSection = (name: string, of: Partial<SectionTrace> = {}): SectionTrace => ({
  ...{ name, outcome: 'ok', ms: 8, system: 'pricing', code: null, staleAsOf: null, cause: null, simulated: false },
  ...of,
})

export const timedOutSection = (name: string, of: Partial<SectionTrace> = {}): SectionTrace =>
  okSection(name, { outcome: 'timeout', ms: 700, code: 'downstream_timeout', cause: 'no answer in time', ...of })

export const callTrace = (of: Partial<CallTrace> = {}): CallTrace => ({
  ...{
    system: 'pricing',
    operation: 'price',
    at: START_MS,
    queuedMs: 0,
    ms: 8,
    attempts: 1,
    outcome: 'ok',
    cause: null,
  },
  ...of,
})
