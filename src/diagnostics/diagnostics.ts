import type { CircuitName } from '../ports/system.ts'
import type { Database } from '../storage/database.ts'
import { deleteProcessState } from '../storage/diagnostics/process-states.ts'
import type { StoreMonitor } from '../storage/store-monitor.ts'
import type { Tenant } from '../tenant.ts'
import type { CallTrace } from '../upstream/request/call-trace.ts'
import {
  type CircuitTransition,
  type CircuitTransitionDetails,
  createCircuitChangeBuffer,
} from './buffers/circuit-change-buffer.ts'
import { createFlushLoop } from './buffers/flush-loop.ts'
import { createIncidentBuffer } from './buffers/incident-buffer.ts'
import { createRecordBuffer } from './buffers/record-buffer.ts'
import { createTrafficCounts } from './buffers/traffic-counts.ts'
import {
  writeCircuitChanges,
  writeIncidents,
  writeKeyDayRollups,
  writeRequestRecords,
  writeTimelineRollups,
} from './buffers/write-buffers.ts'
import { countHealthySection, countSections, type TenantBucket } from './counts/bucket-counts.ts'
import { liveCallSections } from './live-call-sections.ts'
import { isSimulatedOutcome, SLOW_REQUEST_MS, toRecordKind } from './record-rules.ts'
import type { RequestOutcome } from './request-outcome.ts'
import { collectProcessState } from './status/collect-process-state.ts'
import { createHeartbeatWriter } from './status/process-heartbeat.ts'
import type { ProcessState } from './status/process-state.ts'

/**
 * Diagnostics show operators during an incident: which sections of which merchant are degraded, since when, through which system,
 * and what happened to a single request. They observe requests, upstream calls and circuits, and write counts, incidents and request records
 * to the store for the console: in batches, in the background, and without ever throwing at a request.
 */
export interface Diagnostics extends AsyncDisposable {
  /** Call it when the response to a request has ended. */
  recordRequest(outcome: RequestOutcome): void
  /** Call it when an upstream call has ended. */
  recordCall(tenant: Tenant, call: CallTrace): void
  recordCircuitTransition(
    tenant: Tenant,
    circuit: CircuitName,
    state: CircuitTransition,
    details?: CircuitTransitionDetails,
  ): void
  /** The state of this process in the last minute. */
  processState(): ProcessState
  /** Requests that this process has refused since the store became unavailable. */
  storeRefusals(): number
  /** Writes everything now. */
  flush(): Promise<void>
}

export interface DiagnosticsParts {
  db: Database
  /** Absent: the store is not watched. */
  store?: Pick<StoreMonitor, 'outage'>
  /** Milliseconds since the epoch. */
  now: () => number
  /** Unique name of this process among those that share the store. */
  process: string
  onError(error: unknown): void
  /** `false`: writes happen only on flush() and disposal. */
  timed?: boolean
}

export function createDiagnostics(parts: DiagnosticsParts): Diagnostics {
  const { db, store, now, process, onError, timed = true } = parts
  const counts = createTrafficCounts()
  const incidents = createIncidentBuffer()
  const records = createRecordBuffer(process)
  const circuits = createCircuitChangeBuffer(process)
  let storeRefusals = 0

  function recordSections(outcome: RequestOutcome, at: number, bucket: TenantBucket): void {
    const isSimulated = isSimulatedOutcome(outcome)
    const degraded = countSections(bucket, outcome, isSimulated)
    // Planned maintenance is no incident.
    const failed = degraded.filter(({ outcome: failure }) => failure !== 'maintenance')
    for (const section of failed) incidents.recordDegraded(bucket, section, outcome, at)
    if (isSimulated) return
    const liveCalls = liveCallSections(outcome)
    for (const section of liveCalls) countHealthySection(bucket, section)
    const candidates = outcome.status < 400 ? [...(outcome.sections ?? []), ...liveCalls] : liveCalls
    for (const section of candidates)
      if (section.outcome === 'ok' && !degraded.some(({ name }) => name === section.name))
        incidents.recordHealthy(bucket, section, outcome, at)
  }

  function recordKeyRefusal(outcome: RequestOutcome, at: number): void {
    const { tenant, mode, keyId, code, endedKeyOf } = outcome
    const owner = endedKeyOf ?? (code === 'origin_not_allowed' && tenant !== null ? { merchant: tenant, mode } : null)
    if (owner && keyId !== null) incidents.recordKeyRefusal(owner, keyId, outcome, at)
  }

  const processState = () => collectProcessState(process, now(), counts.recent(now()), circuits)
  const flushLoop = createFlushLoop({
    everyTick: [
      () => {
        const outage = store?.outage ?? null
        if (outage === null) storeRefusals = 0
        incidents.recordStoreState(outage, now())
        return writeIncidents(db, incidents, now)
      },
      () => writeRequestRecords(db, records),
      () => writeCircuitChanges(db, circuits),
      createHeartbeatWriter(db, processState),
    ],
    everyTenthTick: [() => writeTimelineRollups(db, counts.rollups()), () => writeKeyDayRollups(db, counts.rollups())],
    now,
    onError,
    timed,
  })

  return {
    recordRequest(outcome) {
      const at = now()
      const bucket = counts.countRequest(outcome, at)
      // A cached read ends here.
      if (outcome.sections === undefined && outcome.status < 400 && outcome.ms < SLOW_REQUEST_MS) return
      const kind = toRecordKind(outcome)
      if (kind !== null) records.add(outcome, kind, at)
      if (outcome.code === 'store_unavailable') {
        storeRefusals += 1
        incidents.recordStoreRefusal(outcome, at, store?.outage?.reason)
      }
      recordKeyRefusal(outcome, at)
      if (bucket) recordSections(outcome, at, bucket)
    },
    recordCall(tenant, call) {
      const at = now()
      counts.countCall(tenant, call, at)
      incidents.recordCall(tenant, call, at)
    },
    recordCircuitTransition: (tenant, circuit, state, details) =>
      circuits.recordTransition(tenant, circuit, state, now(), details),
    processState,
    storeRefusals: () => storeRefusals,
    flush: flushLoop.flush,
    async [Symbol.asyncDispose]() {
      circuits.closeAll(now())
      await flushLoop.end()
      await deleteProcessState(db, process).catch(onError)
    },
  }
}
