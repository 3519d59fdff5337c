import { randomUUID } from 'node:crypto'
import { startPoller } from '../../lifecycle/poller.ts'
import { waitUpTo } from '../../lifecycle/wait-up-to.ts'
import { type CallPlacesRow, deleteCallPlaces, listCallPlaces, writeCallProcess } from '../../storage/call-places.ts'
import type { Database } from '../../storage/database.ts'
import { createLiveProcesses, PROCESS_SILENCE_MS } from './live-processes.ts'
import { isGone, type ProcessIdentity, readProcessIdentity } from './process-identity.ts'
import { createSharedPlaces, type SharedPlaces } from './shared-places.ts'

export interface CallPlacePoolParts {
  db: Database
  /** Milliseconds since the epoch, by the clock that all processes on the store share. */
  now: () => number
  /** Milliseconds by a clock that is never set back. */
  monotonicNow?: () => number
  onError(error: unknown): void
  /** `null`: rounds run only when `poll` is called. */
  intervalMs?: number | null
  /** Runs a function later. */
  schedule?: (ms: number, run: () => void) => void
}

/** The places for calls to systems, which all processes on a store share. */
export interface CallPlacePool extends AsyncDisposable {
  /** Returns the places of a system, whose name is the same in all processes. */
  placesFor(system: string, size: number): SharedPlaces
  /** Reads what other processes hold and want, and gives them what they should have. */
  poll(): Promise<void>
}

const INTERVAL_MS = 250
const SIGN_OF_LIFE_MS = 1_000
/** Claims that have changed for so long are read in each round, and signs of life always, since clocks differ. All rows are read less often. */
const RECENT_MS = 3_000
const ALL_ROWS_MS = 10_000
/** A process whose timers have not run for this long may be believed dead by now. */
const STOPPED_MS = 3_500
/** A row of a process that has not changed for this long, whatever the clocks, belongs to a dead one. */
const DEAD_MS = 60_000
const MAX_DISPOSE_MS = 1_000

const PROCESS = 'process/'
const SYSTEM = 'system/'

export function createCallPlacePool(parts: CallPlacePoolParts): CallPlacePool {
  const { db, now, monotonicNow = () => performance.now(), onError, intervalMs = INTERVAL_MS } = parts
  const { schedule = (ms, run) => void setTimeout(run, ms).unref() } = parts
  const process = randomUUID()
  const own = readProcessIdentity()
  const processes = createLiveProcesses(process, monotonicNow)
  const systems = new Map<string, SharedPlaces>()
  let activeAt = { monotonic: monotonicNow(), shared: now() }
  let wroteAt = Number.NEGATIVE_INFINITY
  let readAllAt = Number.NEGATIVE_INFINITY

  const isoBefore = (ms: number) => new Date(now() - ms).toISOString()

  /** Detects that this process was stopped or its machine suspended. The monotonic clock may not run while a machine is suspended. */
  function noteActivity(): void {
    const at = { monotonic: monotonicNow(), shared: now() }
    const silentMs = Math.max(at.monotonic - activeAt.monotonic, at.shared - activeAt.shared)
    if (silentMs > STOPPED_MS) for (const places of systems.values()) places.mistrust()
    activeAt = at
  }

  async function writeSignOfLife(): Promise<void> {
    if (monotonicNow() - wroteAt < SIGN_OF_LIFE_MS) return
    const at = monotonicNow()
    await writeCallProcess(db, { name: PROCESS + process, document: JSON.stringify(own), at: isoBefore(0) })
    wroteAt = at
  }

  async function readRows(): Promise<CallPlacesRow[]> {
    const at = monotonicNow()
    if (at - readAllAt < ALL_ROWS_MS) return listCallPlaces(db, isoBefore(RECENT_MS), PROCESS)
    await deleteCallPlaces(db, PROCESS, isoBefore(DEAD_MS))
    const rows = await listCallPlaces(db, '', PROCESS)
    readAllAt = at
    return rows
  }

  async function round(): Promise<void> {
    noteActivity()
    await writeSignOfLife()
    const isFirst = readAllAt === Number.NEGATIVE_INFINITY
    const rows = await readRows()
    noteActivity()
    const longAgo = isFirst ? isoBefore(2 * PROCESS_SILENCE_MS) : ''
    for (const row of rows) if (row.name.startsWith(PROCESS)) see(row, longAgo)
    processes.refresh()
    for (const row of rows) if (row.name.startsWith(SYSTEM)) learn(row, isFirst)
    for (const places of systems.values()) if (places.isDue) await places.exchange()
  }

  function see({ name, version, document, changed_at }: CallPlacesRow, longAgo: string): void {
    const { ended, ...of } = JSON.parse(document) as Partial<ProcessIdentity> & { ended?: boolean }
    const hasEnded = ended === true || changed_at < longAgo || isGone(of, own)
    processes.see(name.slice(PROCESS.length), { version, hasEnded })
  }

  /** `isFirst`: all rows were read, so a process without a row has long ended. */
  function learn(row: CallPlacesRow, isFirst: boolean): void {
    if (isFirst)
      for (const id of Object.keys(JSON.parse(row.document)))
        if (!processes.isKnown(id)) processes.see(id, { version: 0, hasEnded: true })
    systems.get(row.name)?.learn(row)
  }

  const poller = startPoller({ round, intervalMs, onError, startsAtOnce: intervalMs !== null })
  const shared = { db, process, processes, now, monotonicNow, schedule, onError, noteActivity }
  /** A process shows that it is alive before it claims anything. */
  const isKnownToOthers = () => (wroteAt > Number.NEGATIVE_INFINITY ? undefined : poller.poll())
  return {
    placesFor(system, size) {
      const name = `${SYSTEM}${system}`
      const places = createSharedPlaces({ ...shared, name, size, isKnownToOthers })
      systems.set(name, places)
      return places
    },
    poll: poller.poll,
    async [Symbol.asyncDispose]() {
      await poller[Symbol.asyncDispose]()
      const ended = { name: PROCESS + process, document: '{"ended":true}', at: isoBefore(0) }
      await waitUpTo(
        MAX_DISPOSE_MS,
        writeCallProcess(db, ended).catch(() => {}),
      )
    },
  }
}
