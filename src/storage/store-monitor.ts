import { randomBytes } from 'node:crypto'
import { startPoller } from '../lifecycle/poller.ts'
import type { Database } from './database.ts'
import { describeDiskFailure, isSqliteBusy, isStoreUnavailable } from './store-errors.ts'

/** A period in which the store could not be used. */
export interface StoreOutage {
  /** Milliseconds since the epoch. */
  beganAt: number
  /** The cause in plain words: "the disk is full". */
  reason: string
  /** Reads fail too. On a full disk they do not. */
  isUnreachable: boolean
}

/** Tracks whether the store works: it sees each failure of the store, and tries to write until that works again. */
export interface StoreMonitor extends AsyncDisposable {
  /** `null` while the store works. */
  readonly outage: StoreOutage | null
  /** Called by the driver with each error of the store. */
  recordFailure(error: unknown): void
  /** Starts to observe. Earlier failures belong to the start of the process. */
  watch(db: Database, listeners?: OutageListeners): void
  /** Tries the store now, if it has failed. */
  probe(): Promise<void>
}

export interface OutageListeners {
  onBegin?(outage: StoreOutage, error: unknown): void
  onEnd?(outage: StoreOutage): void
}

export interface StoreMonitorParts {
  now: () => number
  /** `null`: no timer; the store is tried when `probe` is called. */
  intervalMs?: number | null
}

const INTERVAL_MS = 1_000
/** On a full disk a small write may still succeed, so an outage ends only when nothing has failed for this long. */
const QUIET_MS = 5_000
/** Enough that the log of the store has to grow. PostgreSQL would compress anything but random text. */
const FILLER_BYTES = 192 * 1_024

/** An error of the disk is an outage at once. Any other error, such as a lost connection, is an outage if the store then cannot be written either. */
export function createStoreMonitor({ now, intervalMs = INTERVAL_MS }: StoreMonitorParts): StoreMonitor {
  let watched: Database | null = null
  let listeners: OutageListeners = {}
  let outage: StoreOutage | null = null
  let failedAt = Number.NEGATIVE_INFINITY
  /** When the first of the latest failures was seen; `null`: none since the store last worked. */
  let suspectedAt: number | null = null
  let isProbeDue = false
  const poller = startPoller({ round: probe, intervalMs, onError: () => {} })

  function begin(error: unknown): void {
    if (outage) return
    const reason = describeDiskFailure(error)
    outage = {
      beganAt: suspectedAt ?? now(),
      reason: reason ?? 'the store does not respond',
      isUnreachable: reason === null,
    }
    listeners.onBegin?.(outage, error)
  }

  async function probe(): Promise<void> {
    if (watched === null || (outage === null && !isProbeDue)) return
    isProbeDue = false
    try {
      await writeProbe(watched)
    } catch (error) {
      failedAt = now()
      if (isStoreUnavailable(error) && !isSqliteBusy(error)) begin(error)
      return
    }
    suspectedAt = null
    if (outage === null || (!outage.isUnreachable && Math.abs(now() - failedAt) < QUIET_MS)) return
    const ended = outage
    outage = null
    listeners.onEnd?.(ended)
  }

  return {
    get outage() {
      return outage
    },
    recordFailure(error) {
      if (watched === null || !isStoreUnavailable(error)) return
      failedAt = now()
      suspectedAt ??= failedAt
      isProbeDue = true
      if (describeDiskFailure(error) !== null) begin(error)
    },
    watch(db, notified = {}) {
      watched = db
      listeners = notified
    },
    probe: poller.poll,
    [Symbol.asyncDispose]: poller[Symbol.asyncDispose],
  }
}

/** Writes as much as a large request does, and deletes it again. */
async function writeProbe(db: Database): Promise<void> {
  const probe_id = randomBytes(12).toString('hex')
  await db
    .insertInto('store_probes')
    .values({ probe_id, filler: randomBytes(FILLER_BYTES).toString('base64') })
    .execute()
  await db.deleteFrom('store_probes').execute()
}
