import { readCatalogSequence } from '../../storage/catalog/catalog-sequences.ts'
import {
  deleteMirrorFollowers,
  listMirrorFollowers,
  type MirrorFollowerRow,
  reportMirrorFollower,
} from '../../storage/catalog/mirror-followers.ts'
import type { Database } from '../../storage/database.ts'
import { holdEvents, listHeldEvents, releaseEvents } from '../../storage/webhooks/held-events.ts'
import type { Tenant } from '../../tenant.ts'

export interface EventReleaseParts {
  db: Database
  tenant: Tenant
  /** Identifies this process among those that share the store. */
  follower: string
  now: () => number
  /** Called when this process reports after it was silent for so long that events were released without it. */
  onMissedEvents?(silentMs: number): void
}

/** Releases the events of a tenant's catalog when the mirrors and caches of all processes have their changes. */
export interface EventRelease extends AsyncDisposable {
  /** Reports that this process has all changes up to `sequence`: events of later ones wait for it. */
  report(sequence: number): Promise<void>
  /** Reports, if it is time or if events wait, and releases the events for which no process waits. */
  round(sequence: number): Promise<void>
}

/**
 * A catalog event waits this long for the mirrors, if no process releases or extends it, such as when no mirror can follow the store. The time
 * starts before the transaction that writes the event, which may take half a minute on a busy machine.
 */
export const CATALOG_EVENT_HOLD_MS = 120_000
/** How often a process reports that it is alive when no event waits. */
const REPORT_INTERVAL_MS = 2_000
/** A process that has not reported for this long no longer holds events back. */
const SILENCE_MS = 5_000
/** Nor does a process that has not reported during this many reports of this process, however long each takes. */
const MAX_SILENT_ROUNDS = 20
/** Nor does a process that lacks changes and has made no progress for this long, such as on a full disk. Filling a large file takes less. */
const STANDSTILL_MS = 600_000

interface Batch {
  ids: string[]
  /** The changes of all its events have lower sequence numbers, or this one. */
  sequence: number
}

/** What was last seen of another process. Times are in milliseconds since the epoch. */
interface SeenFollower {
  beat: number
  sequence: number
  /** When its last report was seen, and how many times none was seen since then. */
  at: number
  silentRounds: number
  /** The time since which it has lacked changes and made no progress; `null`: it lacks none. */
  standsSince: number | null
}

export function createEventRelease(parts: EventReleaseParts): EventRelease {
  const { db, tenant, follower, now, onMissedEvents = () => {} } = parts
  let seen = new Map<string, SeenFollower>()
  let batch: Batch | null = null
  let reportedAt = Number.NEGATIVE_INFINITY

  const toTime = (afterMs: number) => new Date(now() + afterMs).toISOString()

  const holdTimes = () => ({ now: toTime(0), until: toTime(CATALOG_EVENT_HOLD_MS) })

  async function report(sequence: number): Promise<void> {
    const isKnown = await reportMirrorFollower(db, tenant, follower, sequence)
    const silentMs = now() - reportedAt
    // The store may have been out of reach, for the others too.
    if (silentMs > SILENCE_MS) for (const other of seen.values()) other.at = now()
    reportedAt = now()
    if (!isKnown && Number.isFinite(silentMs)) onMissedEvents(silentMs)
  }

  /** Looks which processes have reported since the last look. */
  async function look(): Promise<void> {
    const rows = await listMirrorFollowers(db, tenant)
    seen = new Map(rows.map((row) => [row.follower, toSeen(row)]))
  }

  function toSeen({ follower, beat, sequence }: MirrorFollowerRow): SeenFollower {
    const last = seen.get(follower)
    const [at, silentRounds] = last?.beat === beat ? [last.at, last.silentRounds + 1] : [now(), 0]
    return { beat, sequence, at, silentRounds, standsSince: last?.sequence === sequence ? last.standsSince : null }
  }

  const isSilent = ({ at, silentRounds }: SeenFollower) => now() - at > SILENCE_MS || silentRounds > MAX_SILENT_ROUNDS

  /** Returns whether a living process that makes progress lacks changes up to `goal`. */
  async function isAwaited(goal: number): Promise<boolean> {
    await look()
    const silent = [...seen].filter(([, other]) => isSilent(other)).map(([name]) => name)
    if (silent.length > 0) await deleteMirrorFollowers(db, tenant, silent)
    for (const name of silent) seen.delete(name)
    const living = [...seen.values()]
    for (const other of living) other.standsSince = other.sequence < goal ? (other.standsSince ?? now()) : null
    return living.some(({ standsSince }) => standsSince !== null && now() - standsSince <= STANDSTILL_MS)
  }

  async function round(sequence: number): Promise<void> {
    const held = await listHeldEvents(db, tenant, toTime(0))
    if (held.length === 0 && now() - reportedAt < REPORT_INTERVAL_MS) return
    await report(sequence)
    if (held.length === 0) {
      batch = null
      // So that the next event does not wait for a process that is already silent.
      return look()
    }
    // Read after the events: an event and its changes are one transaction.
    batch ??= { ids: held, sequence: await readCatalogSequence(db, tenant) }
    const times = holdTimes()
    // Events that are nearly due are extended, so that none is sent while a process lacks its change.
    if (await isAwaited(batch.sequence))
      return holdEvents(db, tenant, { ...times, soon: toTime(CATALOG_EVENT_HOLD_MS / 2) })
    await releaseEvents(db, batch.ids, times)
    batch = null
  }

  return {
    report,
    round,
    [Symbol.asyncDispose]: () => deleteMirrorFollowers(db, tenant, [follower]).catch(() => {}),
  }
}
