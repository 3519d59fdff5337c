import { createDiagnostics, type Diagnostics } from '../../src/diagnostics/diagnostics.ts'
import type { FinishedRequest } from '../../src/diagnostics/finished-request.ts'
import type { SectionTrace } from '../../src/sections/section-trace.ts'
import type { Database } from '../../src/storage/database.ts'
import type { CallTrace } from '../../src/upstream/request/call-trace.ts'
import type { TestStore } from '../support/stores.ts'

export const START_MS = Date.parse('2026-11-21T14:05:00.000Z')

/** Processes on one store, with a manual clock. */
export interface DiagnosticsSetup {
  now: number
  /** Moves the clock forward. */
  advance(ms: number): void
  createProcess(db: Database, name?: string): Diagnostics
  /** Errors of the processes. */
  errors: unknown[]
}

export function createDiagnosticsSetup(): DiagnosticsSetup {
  const setup: DiagnosticsSetup = {
    now: START_MS,
    errors: [],
    advance(ms) {
      setup.now += ms
    },
    createProcess: (db, name = 'one') =>
      createDiagnostics({
        db,
        process: name,
        timed: false,
        now: () => setup.now,
        onError: (error) => setup.errors.push(error),
      }),
  }
  return setup
}

/** A process on a store, with the setup that created it. */
export interface OpenDiagnostics {
  db: Database
  setup: DiagnosticsSetup
  process: Diagnostics
}

/** Opens a process on a store before each test of a suite, and closes both after it. */
export function openDiagnosticsForEach(store: TestStore, onOpen: (opened: OpenDiagnostics) => void): void {
  let process: Diagnostics
  beforeEach(async () => {
    const db = await store.open()
    const setup = createDiagnosticsSetup()
    process = setup.createProcess(db)
    onOpen({ db, setup, process })
  })
  afterEach(async () => {
    await process[Symbol.asyncDispose]()
    await store.close()
  })
}

export const finishedRequest = (overrides: Partial<FinishedRequest> = {}): FinishedRequest => ({
  requestId: 'req-1',
  mode: 'live',
  tenant: 'acme',
  keyId: 'key_1',
  clientAddress: '192.0.2.1',
  method: 'GET',
  url: '/v1/products/BP-1',
  route: 'getProduct',
  status: 200,
  ms: 12,
  cache: 'miss',
  deadlineMs: 2_500,
  sections: [],
  calls: [],
  ...overrides,
})

export const finishedCacheHit = (overrides: Partial<FinishedRequest> = {}): FinishedRequest => {
  const { sections: _, calls: __, deadlineMs: ___, ...rest } = finishedRequest({ ms: 0.2, cache: 'hit' })
  return { ...rest, ...overrides }
}

export const okSection = (name: string, overrides: Partial<SectionTrace> = {}): SectionTrace => ({
  name,
  outcome: 'ok',
  ms: 8,
  system: 'pricing',
  code: null,
  staleAsOf: null,
  cause: null,
  simulated: false,
  ...overrides,
})

export const timedOutSection = (name: string, overrides: Partial<SectionTrace> = {}): SectionTrace =>
  okSection(name, {
    outcome: 'timeout',
    ms: 700,
    code: 'downstream_timeout',
    cause: 'no response in time',
    ...overrides,
  })

export const callTrace = (overrides: Partial<CallTrace> = {}): CallTrace => ({
  system: 'pricing',
  operation: 'price',
  at: START_MS,
  queuedMs: 0,
  ms: 8,
  attempts: 1,
  outcome: 'ok',
  cause: null,
  ...overrides,
})
