import { readCatalogSequence } from '../storage/catalog/catalog-sequences.ts'
import {
  deleteMirrorFollowers,
  listMirrorFollowers,
  type MirrorFollowerRow,
  reportMirrorFollower,
} from '../storage/catalog/mirror-followers.ts'
import type { Database } from '../storage/database.ts'
import { type HeldEvent, holdEvents, listHeldEvents, releaseEvents } from '../storage/webhooks/held-events.ts'
import type { Tenant } from '../tenant.ts'

export interface EventReleaseParts {
  db: Database
  tenant: Tenant
  /** Identifies this process among those that share the store. */
  follower: string
  now: () => number
  /** Called when this process reports after it was silent for so long that events were released without it. */
  onForgotten?(silentMs: number): void
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

interface Batch {
  ids: string[]
  /** The changes of all its events have lower sequence numbers, or this one. */
  sequence: number
}

export function createEventRelease(parts: EventReleaseParts): EventRelease {
  const { db, tenant, follower, now, onForgotten = () => {} } = parts
  /** When the report of each process was last seen to change. */
  const seen = new Map<string, { beat: number; at: number }>()
  let batch: Batch | null = null
  let reportedAt = Number.NEGATIVE_INFINITY

  const toTime = (afterMs: number) => new Date(now() + afterMs).toISOString()

  const holdTimes = () => ({ now: toTime(0), until: toTime(CATALOG_EVENT_HOLD_MS) })

  async function report(sequence: number): Promise<void> {
    const isKnown = await reportMirrorFollower(db, tenant, follower, sequence)
    const silentMs = now() - reportedAt
    // The store may have been out of reach, for the others too.
    if (silentMs > SILENCE_MS) seen.clear()
    reportedAt = now()
    if (!isKnown && Number.isFinite(silentMs)) onForgotten(silentMs)
  }

  async function findSlowest(): Promise<number> {
    const rows = await listMirrorFollowers(db, tenant)
    for (const { follower: name, beat } of rows) if (seen.get(name)?.beat !== beat) seen.set(name, { beat, at: now() })
    const isSilent = ({ follower: name }: MirrorFollowerRow) => now() - seen.get(name)!.at > SILENCE_MS
    const silent = rows.filter(isSilent).map(({ follower: name }) => name)
    if (silent.length > 0) await deleteMirrorFollowers(db, tenant, silent)
    for (const name of silent) seen.delete(name)
    return Math.min(...rows.filter(({ follower: name }) => !silent.includes(name)).map(({ sequence }) => sequence))
  }

  /** Extends what is nearly due, so that it is not sent while a living process lacks its change. */
  async function extend(held: readonly HeldEvent[]): Promise<void> {
    const soon = toTime(CATALOG_EVENT_HOLD_MS / 2)
    const ending = held.filter(({ held_until }) => held_until < soon)
    await holdEvents(db, toIds(ending), holdTimes())
  }

  return {
    report,
    async round(sequence) {
      const held = await listHeldEvents(db, tenant, toTime(0))
      if (held.length === 0 && now() - reportedAt < REPORT_INTERVAL_MS) return
      await report(sequence)
      if (held.length === 0) {
        batch = null
        return
      }
      // Read after the events: an event and its changes are one transaction.
      batch ??= { ids: toIds(held), sequence: await readCatalogSequence(db, tenant) }
      if ((await findSlowest()) < batch.sequence) return extend(held)
      await releaseEvents(db, batch.ids, holdTimes())
      batch = null
    },
    [Symbol.asyncDispose]: () => deleteMirrorFollowers(db, tenant, [follower]).catch(() => {}),
  }
}

const toIds = (events: readonly HeldEvent[]) => events.map(({ event_id }) => event_id)
