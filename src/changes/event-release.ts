import { readCatalogSequence } from '../storage/catalog/catalog-sequences.ts'
import {
  deleteMirrorFollowers,
  listMirrorFollowers,
  type MirrorFollowerRow,
  reportMirrorFollower,
} from '../storage/catalog/mirror-followers.ts'
import type { Database } from '../storage/database.ts'
import { listHeldDeliveries, setHeldDeliveriesDue } from '../storage/webhooks/held-deliveries.ts'
import type { Tenant } from '../tenant.ts'

export interface EventReleaseParts {
  db: Database
  tenant: Tenant
  /** Identifies this process among those that share the store. */
  follower: string
  now: () => number
}

/** Releases the events of a tenant's catalog when the mirrors and caches of all processes have their changes. */
export interface EventRelease extends AsyncDisposable {
  /** Reports that this process has all changes up to `sequence`, and releases the events for which no process waits. */
  round(sequence: number): Promise<void>
}

/** A catalog event waits this long for the mirrors, if no process releases or extends it. */
export const CATALOG_EVENT_HOLD_MS = 10_000
/** How often a process reports that it is alive when no event waits. */
const REPORT_INTERVAL_MS = 2_000
/** A process that has not reported for this long no longer holds events back. */
const SILENCE_MS = 5_000

interface Batch {
  ids: string[]
  /** The changes of all its events have lower sequence numbers, or this one. */
  sequence: number
}

export function createEventRelease({ db, tenant, follower, now }: EventReleaseParts): EventRelease {
  /** When the report of each process was last seen to change, by our clock: clocks of machines differ. */
  const seen = new Map<string, { beat: number; at: number }>()
  let batch: Batch | null = null
  let reportedAt = Number.NEGATIVE_INFINITY

  const toTime = (afterMs: number) => new Date(now() + afterMs).toISOString()

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
  async function extend(held: readonly { delivery_id: string; due_at: string }[]): Promise<void> {
    const soon = toTime(CATALOG_EVENT_HOLD_MS / 2)
    const ids = held.filter(({ due_at }) => due_at < soon).map(({ delivery_id }) => delivery_id)
    await setHeldDeliveriesDue(db, ids, toTime(CATALOG_EVENT_HOLD_MS))
  }

  return {
    async round(sequence) {
      const held = await listHeldDeliveries(db, tenant, { from: toTime(0), to: toTime(CATALOG_EVENT_HOLD_MS) })
      if (held.length === 0 && now() - reportedAt < REPORT_INTERVAL_MS) return
      await reportMirrorFollower(db, tenant, follower, sequence)
      reportedAt = now()
      if (held.length === 0) {
        batch = null
        return
      }
      // Read after the deliveries: an event and its changes are one transaction.
      batch ??= {
        ids: held.map(({ delivery_id }) => delivery_id),
        sequence: await readCatalogSequence(db, tenant),
      }
      if ((await findSlowest()) < batch.sequence) return extend(held)
      await setHeldDeliveriesDue(db, batch.ids, toTime(0))
      batch = null
    },
    [Symbol.asyncDispose]: () => deleteMirrorFollowers(db, tenant, [follower]).catch(() => {}),
  }
}
