import type { Mode } from '../config/config.ts'
import type { Source } from '../ports/system.ts'
import type { Database } from '../storage/database.ts'
import { forgetProcess } from '../storage/diagnostics/process-states.ts'
import type { CallTrace } from '../upstream/call-trace.ts'
import { createCircuitBook } from './buffers/circuit-change-buffer.ts'
import { createCounts } from './counts/traffic-counts.ts'
import { createIncidentBook, type Owner } from './buffers/incident-buffer.ts'
import { isSimulated, kindOf, SLOW_MS } from './outcome-rules.ts'
import { liveSections } from './live-call-sections.ts'
import { liveState } from './status/collect-process-state.ts'
import type { Outcome } from './request-outcome.ts'
import type { ProcessState } from './status/process-state.ts'
import { createRecordBook } from './buffers/record-buffer.ts'
import { createRounds } from './buffers/flush-loop.ts'
import { countSections, countWell } from './counts/time-bucket.ts'
import { stateWriter } from './status/process-heartbeat.ts'
import { writeChanges, writeDays, writeIncidents, writeRecords, writeSteps } from './buffers/write-buffers.ts'

/** What a circuit did; held and released: by hand. */
export type Turn = 'open' | 'closed' | 'held_open' | 'held_closed' | 'released'

/** Counts what happens, and keeps it in the store for those on call: in batches, off the way of requests. None of it ever throws. */
export interface Diagnostics extends AsyncDisposable {
  /** Of each request, when it has been answered. */
  observe(outcome: Outcome): void
  /** `owner`: "acme/live". Of each call to a system, when it has ended. */
  called(owner: string, call: CallTrace): void
  turned(owner: string, system: Source, state: Turn, by?: string): void
  /** What this process knows of the last minute. */
  live(): ProcessState
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
  const counts = createCounts()
  const incidents = createIncidentBook()
  const records = createRecordBook(process)
  const circuits = createCircuitBook(process)

  /** Of what was not served from the cache, or not served. */
  function look(outcome: Outcome, at: number, owner: ReturnType<typeof counts.answered>): void {
    const kind = kindOf(outcome)
    if (kind !== null) records.keep(outcome, kind, at)
    if (!owner) return
    const simulated = isSimulated(outcome)
    const degraded = countSections(owner, outcome, simulated)
    for (const section of degraded) incidents.degraded(owner, section, outcome, at)
    if (simulated) return
    const live = liveSections(outcome)
    for (const section of live) countWell(owner, section)
    const well = outcome.status < 400 ? [...(outcome.sections ?? []), ...live] : live
    for (const section of well)
      if (section.outcome === 'ok' && !degraded.some(({ name }) => name === section.name))
        incidents.well(owner, section, outcome, at)
  }

  const live = () => liveState(process, now(), counts.recent(now()), circuits)
  const writeState = stateWriter(db, live)
  const rounds = createRounds({
    often: [
      () => writeIncidents(db, incidents, now),
      () => writeRecords(db, records),
      () => writeChanges(db, circuits),
      writeState,
    ],
    seldom: [() => writeSteps(db, counts.pending()), () => writeDays(db, counts.pending())],
    ...{ now, onError, timed },
  })

  return {
    observe(outcome) {
      const at = now()
      const owner = counts.answered(outcome, at)
      // A hot read ends here.
      if (outcome.sections === undefined && outcome.status < 400 && outcome.ms < SLOW_MS) return
      look(outcome, at, owner)
    },
    called(name, call) {
      const at = now()
      const owner = ownerOf(name)
      counts.called(owner.tenant, owner.mode, call, at)
      incidents.called(owner, call, at)
    },
    turned: (owner, system, state, by) => circuits.turned(ownerOf(owner), system, state, by ?? null, now()),
    live,
    flush: rounds.all,
    async [Symbol.asyncDispose]() {
      circuits.end(now())
      await rounds.end()
      await forgetProcess(db, process).catch(onError)
    },
  }
}

function ownerOf(name: string): Owner {
  const [tenant, mode] = name.split('/') as [string, Mode]
  return { tenant, mode }
}
