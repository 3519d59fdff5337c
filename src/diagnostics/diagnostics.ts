import type { CircuitName } from '../ports/circuit-name.ts'
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
import {
  writeCircuitChanges,
  writeKeyDayRollups,
  writeRequestRecords,
  writeTimelineRollups,
} from './buffers/flush-buffers.ts'
import { createFlushLoop } from './buffers/flush-loop.ts'
import { createIncidentBuffer } from './buffers/incident-buffer.ts'
import { createRequestRecordBuffer } from './buffers/request-record-buffer.ts'
import { createTrafficCounts } from './buffers/traffic-counts.ts'
import { writeIncidents } from './buffers/write-incidents.ts'
import { countHealthySection, countSections, type TenantBucket } from './counts/time-bucket.ts'
import type { FinishedRequest } from './finished-request.ts'
import { healthyLiveCallSections } from './healthy-live-call-sections.ts'
import { isSimulatedRequest, SLOW_REQUEST_MS, toRecordKind } from './request-record-kind.ts'
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
  recordRequest(request: FinishedRequest): void
  /** Call it when an upstream call has ended. */
  recordCall(tenant: Tenant, call: CallTrace): void
  recordCircuitTransition(
    tenant: Tenant,
    circuit: CircuitName,
    state: CircuitTransition,
    details?: CircuitTransitionDetails,
  ): void
  /** From now on, asks whether a circuit that is not closed is half-open. */
  watchCircuits(isHalfOpen: (tenant: Tenant, circuit: string) => boolean): void
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
  const records = createRequestRecordBuffer(process)
  const circuits = createCircuitChangeBuffer(process)
  let storeRefusals = 0
  let isHalfOpen: Parameters<Diagnostics['watchCircuits']>[0] = () => false

  function recordSections(request: FinishedRequest, at: number, bucket: TenantBucket): void {
    const isSimulated = isSimulatedRequest(request)
    const degraded = countSections(bucket, request, isSimulated)
    // Planned maintenance is no incident.
    const failed = degraded.filter(({ outcome: failure }) => failure !== 'maintenance')
    for (const section of failed) incidents.recordDegraded(bucket, section, request, at)
    if (isSimulated) return
    const liveCalls = healthyLiveCallSections(request)
    for (const section of liveCalls) countHealthySection(bucket, section)
    const candidates = request.status < 400 ? [...(request.sections ?? []), ...liveCalls] : liveCalls
    for (const section of candidates)
      if (section.outcome === 'ok' && !degraded.some(({ name }) => name === section.name))
        incidents.recordHealthy(bucket, section, request, at)
  }

  function recordKeyRefusal(request: FinishedRequest, at: number): void {
    const { tenant, mode, keyId, code, endedKeyOf } = request
    const owner = endedKeyOf ?? (code === 'origin_not_allowed' && tenant !== null ? { merchant: tenant, mode } : null)
    if (owner && keyId !== null) incidents.recordKeyRefusal(owner, keyId, request, at)
  }

  const processState = () =>
    collectProcessState(process, now(), counts.recent(now()), circuits, incidents.failures(now()), isHalfOpen)
  const flushLoop = createFlushLoop({
    everyTick: [
      // First, so that no other process ends an incident without what this one sees.
      createHeartbeatWriter(db, processState),
      () => {
        const outage = store?.outage ?? null
        if (outage === null) storeRefusals = 0
        incidents.recordStoreState(outage, now())
        return writeIncidents(db, incidents, { process, now })
      },
      () => writeRequestRecords(db, records),
      () => writeCircuitChanges(db, circuits),
    ],
    everyTenthTick: [() => writeTimelineRollups(db, counts.rollups()), () => writeKeyDayRollups(db, counts.rollups())],
    now,
    onError,
    timed,
  })

  return {
    recordRequest(request) {
      const at = now()
      const bucket = counts.countRequest(request, at)
      // A cached read ends here.
      if (request.sections === undefined && request.status < 400 && request.ms < SLOW_REQUEST_MS) return
      const kind = toRecordKind(request)
      if (kind !== null) records.add(request, kind, at)
      if (request.code === 'store_unavailable') {
        storeRefusals += 1
        incidents.recordStoreRefusal(request, at, store?.outage?.reason)
      }
      recordKeyRefusal(request, at)
      if (bucket) recordSections(request, at, bucket)
    },
    recordCall(tenant, call) {
      const at = now()
      counts.countCall(tenant, call, at)
      incidents.recordCall(tenant, call, at)
    },
    recordCircuitTransition: (tenant, circuit, state, details) =>
      circuits.recordTransition(tenant, circuit, state, now(), details),
    watchCircuits(ask) {
      isHalfOpen = ask
    },
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
