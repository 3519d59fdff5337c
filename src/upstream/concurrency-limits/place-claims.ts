import { type CallPlacesRow, findCallPlaces, replaceCallPlaces } from '../../storage/call-places.ts'
import type { Database } from '../../storage/database.ts'
import { type PlaceClaim, type PlaceNeeds, planPlaces } from './divide-places.ts'
import type { LiveProcesses } from './live-processes.ts'

export interface PlaceClaimsParts {
  db: Database
  name: string
  process: string
  processes: LiveProcesses
  now: () => number
  /** Milliseconds by a clock that is never set back. */
  monotonicNow: () => number
  /** What this process needs now. */
  needs(): PlaceNeeds
}

/** The claims of all processes to the places of one system, as they were in the store last. */
export interface PlaceClaims {
  /** The places of this process. */
  readonly held: number
  /** The calls of this process that wait, according to the store. */
  readonly missing: number
  readonly heldByOthers: number
  readonly areOthersWaiting: boolean
  /** The row has been read. */
  readonly isKnown: boolean
  ofLiving(): ReadonlyMap<string, PlaceClaim>
  isDue(): boolean
  learn(row: CallPlacesRow): void
  /** Writes what this process should hold. `isUnsure`: the store may have another claim, or a write may still be under way to it. */
  update(isUnsure: boolean): Promise<void>
}

const MAX_ATTEMPTS = 8
/** The time after a loss of writes in which a process claims only places for its calls in progress, until all have written theirs. */
const RECLAIM_MS = 1_000

export function createPlaceClaims(parts: PlaceClaimsParts): PlaceClaims {
  const { db, name, process, processes, now, monotonicNow } = parts
  let version = 0
  let claims = new Map<string, PlaceClaim>()
  let held = 0
  /** True if a row that was read has an earlier version than expected: the read was slow, or the store has lost its latest writes. */
  let isStoreBehind = false
  let reclaimsUntil = Number.NEGATIVE_INFINITY

  const own = () => claims.get(process) ?? { held: 0, missing: 0 }
  const others = () => [...claims].flatMap(([id, claim]) => (id !== process && processes.isAlive(id) ? claim : []))
  const ofLiving = () => new Map([...claims].filter(([id]) => processes.isAlive(id)))

  function learn(row: CallPlacesRow): void {
    if (row.version < version) isStoreBehind = true
    else adopt(row)
  }

  /** Reads the row after all writes of this process. An earlier version, or no row, then means that PostgreSQL has lost writes in a failover. */
  async function read(): Promise<void> {
    const row = (await findCallPlaces(db, name)) ?? { version: 0, document: '{}' }
    if (row.version < version) reclaimsUntil = monotonicNow() + RECLAIM_MS
    isStoreBehind = false
    adopt(row)
  }

  function plan(): PlaceClaim {
    const needs = parts.needs()
    const { used, wanted } = needs
    return monotonicNow() < reclaimsUntil ? { held: used, missing: wanted - used } : planPlaces(needs)
  }

  function adopt(row: Pick<CallPlacesRow, 'version' | 'document'>): void {
    version = row.version
    claims = new Map(Object.entries(JSON.parse(row.document)))
    for (const id of claims.keys()) processes.notice(id)
    // Others take the places of a process that they believe dead.
    held = Math.min(held, own().held)
  }

  /** The number of waiting calls is written when it has changed by half: it changes with each call. */
  function differs(planned: PlaceClaim): boolean {
    const { held: stored, missing } = own()
    if (planned.held !== stored || planned.missing > 0 !== missing > 0) return true
    return Math.abs(planned.missing - missing) > Math.max(1, missing / 2)
  }

  async function write(planned: PlaceClaim): Promise<boolean> {
    const next = ofLiving()
    next.delete(process)
    if (planned.held + planned.missing > 0) next.set(process, planned)
    const document = JSON.stringify(Object.fromEntries(next))
    if (!(await replaceCallPlaces(db, { name, known: version, document, at: new Date(now()).toISOString() })))
      return false
    version += 1
    claims = next
    return true
  }

  return {
    get held() {
      return held
    },
    get missing() {
      return own().missing
    },
    get heldByOthers() {
      return claims.size === 0 ? 0 : others().reduce((sum, claim) => sum + claim.held, 0)
    },
    get areOthersWaiting() {
      return claims.size > 1 && others().some(({ missing }) => missing > 0)
    },
    get isKnown() {
      return version > 0
    },
    ofLiving,
    isDue: () => isStoreBehind || differs(plan()) || [...claims.keys()].some((id) => !processes.isAlive(id)),
    learn,
    async update(isUnsure) {
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        if (attempt > 0 || isUnsure || isStoreBehind || version === 0 || own().missing > 0) await read()
        const planned = plan()
        // What is returned is not used from now on.
        held = Math.min(held, planned.held)
        const hasDead = [...claims.keys()].some((id) => !processes.isAlive(id))
        if ((isUnsure || hasDead || differs(planned)) && !(await write(planned))) continue
        held = planned.held
        return
      }
    },
  }
}
