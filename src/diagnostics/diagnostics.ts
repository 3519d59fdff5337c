import type { Mode } from '../config/config.ts'
import type { PortName } from '../ports/system.ts'
import type { Database } from '../storage/database.ts'
import { deleteProcessState } from '../storage/diagnostics/process-states.ts'
import type { CallTrace } from '../upstream/call-trace.ts'
import { createCircuitChangeBuffer } from './buffers/circuit-change-buffer.ts'
import { createFlushLoop } from './buffers/flush-loop.ts'
import { createIncidentBuffer, type Owner } from './buffers/incident-buffer.ts'
import { createRecordBuffer } from './buffers/record-buffer.ts'
import {
  writeCircuitChanges,
  writeIncidents,
  writeKeyDayRollups,
  writeRequestRecords,
  writeTimelineRollups,
} from './buffers/write-buffers.ts'
import { countHealthySection, countSections } from './counts/time-bucket.ts'
import { createTrafficCounts } from './counts/traffic-counts.ts'
import { liveCallSections } from './live-call-sections.ts'
import { isSimulatedOutcome, SLOW_REQUEST_MS, toRecordKind } from './outcome-rules.ts'
import type { RequestOutcome } from './request-outcome.ts'
import { collectProcessState } from './status/collect-process-state.ts'
import { createHeartbeatWriter } from './status/process-heartbeat.ts'
import type { ProcessState } from './status/process-state.ts'

/** What a circuit did; held and released: by hand. */
export type CircuitTransition = 'open' | 'closed' | 'held_open' | 'held_closed' | 'released'

/** Counts what happens, and keeps it in the store for those on call: in batches, off the way of requests. None of it ever throws. */
export interface Diagnostics extends AsyncDisposable {
  /** Of each request, when it has been answered. */
  recordRequest(outcome: RequestOutcome): void
  /** `owner`: "acme/live". Of each call to a system, when it has ended. */
  recordCall(owner: string, call: CallTrace): void
  recordCircuitTransition(owner: string, system: PortName, state: CircuitTransition, by?: string): void
  /** What this process knows of the last minute. */
  processState(): ProcessState
  /** Writes all that was counted, now. */
  flush(): Promise<void>
}

export interface DiagnosticsParts {
  db: Database
  /** Milliseconds since the epoch. */
  now: () => number
  /** Names this process among those on the store. */
  process: string
  onError(error: unknown): void
  /** `false`: only flush() writes. */
  timed?: boolean
}

export function createDiagnostics({ db, now, process, onError, timed = true }: DiagnosticsParts): Diagnostics {
  const counts = createTrafficCounts()
  const incidents = createIncidentBuffer()
  const records = createRecordBuffer(process)
  const circuits = createCircuitChangeBuffer(process)

  /** Of what was not served from the cache, or not served. */
  function look(outcome: RequestOutcome, at: number, owner: ReturnType<typeof counts.countRequest>): void {
    const kind = toRecordKind(outcome)
    if (kind !== null) records.add(outcome, kind, at)
    if (!owner) return
    const simulated = isSimulatedOutcome(outcome)
    const degraded = countSections(owner, outcome, simulated)
    for (const section of degraded) incidents.recordDegraded(owner, section, outcome, at)
    if (simulated) return
    const live = liveCallSections(outcome)
    for (const section of live) countHealthySection(owner, section)
    const well = outcome.status < 400 ? [...(outcome.sections ?? []), ...live] : live
    for (const section of well)
      if (section.outcome === 'ok' && !degraded.some(({ name }) => name === section.name))
        incidents.recordHealthy(owner, section, outcome, at)
  }

  const live = () => collectProcessState(process, now(), counts.recent(now()), circuits)
  const writeState = createHeartbeatWriter(db, live)
  const rounds = createFlushLoop({
    everyTick: [
      () => writeIncidents(db, incidents, now),
      () => writeRequestRecords(db, records),
      () => writeCircuitChanges(db, circuits),
      writeState,
    ],
    everyTenthTick: [() => writeTimelineRollups(db, counts.rollups()), () => writeKeyDayRollups(db, counts.rollups())],
    ...{ now, onError, timed },
  })

  return {
    recordRequest(outcome) {
      const at = now()
      const owner = counts.countRequest(outcome, at)
      // A hot read ends here.
      if (outcome.sections === undefined && outcome.status < 400 && outcome.ms < SLOW_REQUEST_MS) return
      look(outcome, at, owner)
    },
    recordCall(name, call) {
      const at = now()
      const owner = ownerOf(name)
      counts.countCall(owner.tenant, owner.mode, call, at)
      incidents.recordCall(owner, call, at)
    },
    recordCircuitTransition: (owner, system, state, by) =>
      circuits.recordTransition(ownerOf(owner), system, state, by ?? null, now()),
    processState: live,
    flush: rounds.flush,
    async [Symbol.asyncDispose]() {
      circuits.closeAll(now())
      await rounds.end()
      await deleteProcessState(db, process).catch(onError)
    },
  }
}

function ownerOf(name: string): Owner {
  const [tenant, mode] = name.split('/') as [string, Mode]
  return { tenant, mode }
}
