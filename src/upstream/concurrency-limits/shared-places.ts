import { createSingleFlight } from '../../lifecycle/single-flight.ts'
import type { CallPlacesRow } from '../../storage/call-places.ts'
import type { Database } from '../../storage/database.ts'
import type { CallPlaces } from './call-places.ts'
import { fairShare, type PlaceNeeds } from './divide-places.ts'
import type { LiveProcesses } from './live-processes.ts'
import { createPlaceClaims } from './place-claims.ts'
import { createRecentPeak } from './recent-peak.ts'

export interface SharedPlacesParts {
  db: Database
  /** Names the system's row; the same in all processes on the store. */
  name: string
  size: number
  /** This process. */
  process: string
  processes: LiveProcesses
  /** Milliseconds since the epoch, by the clock that all processes on the store share. */
  now: () => number
  /** Milliseconds by a clock that is never set back. */
  monotonicNow: () => number
  /** Runs a function later. */
  schedule(ms: number, run: () => void): void
  /** Resolves when the other processes know of this one. */
  isKnownToOthers(): Promise<void> | undefined
  /** Called with each call, to notice when the process was stopped. */
  noteActivity(): void
  onError(error: unknown): void
}

/** The places of a system that this process shares with others. */
export interface SharedPlaces extends CallPlaces {
  /** Takes note of a row that was read from the store. */
  learn(row: CallPlacesRow): void
  /** Takes more places from the store, or returns those that are not needed here. */
  exchange(): Promise<void>
  /** The store does not have the claims that this process should make, and no exchange is under way. */
  readonly isDue: boolean
  /** Others may have taken the places of this process: it uses none until it has read the store. */
  mistrust(): void
}

/** How often a process whose calls wait looks for free places. */
const RETRY_MS = 50
const PAUSE_AFTER_ERROR_MS = 1_000
/** With fewer places than processes that want one, each has its turn for so long. */
const TURN_MS = 100
/** A store that takes longer counts as one that does not respond. */
const MAX_EXCHANGE_MS = 1_000

export function createSharedPlaces(parts: SharedPlacesParts): SharedPlaces {
  const { size, process, processes, now, monotonicNow, schedule, onError } = parts
  const claims = createPlaceClaims({ ...parts, needs })
  const flight = createSingleFlight(exchange)
  const peak = createRecentPeak(monotonicNow)
  const waiting: (() => void)[] = []
  let used = 0
  let isTrusted = true
  let hasFailed = false
  let startedAt = Number.POSITIVE_INFINITY
  let seeksAt = Number.NEGATIVE_INFINITY
  let isScheduled = false

  const wanted = () => used + waiting.length
  const isOutage = () => hasFailed || monotonicNow() - startedAt > MAX_EXCHANGE_MS

  function needs(): PlaceNeeds {
    const turn = Math.floor(now() / TURN_MS)
    const demand = { held: claims.held, used, wanted: wanted(), recentlyWanted: peak.read(wanted()) }
    return { size, process, ...demand, claims: claims.ofLiving(), processes: processes.count(), turn }
  }

  /** While the store does not respond, a process keeps what it has, and one call at a time goes on where that is nothing. */
  function allowed(): number {
    if (isOutage()) return Math.max(1, claims.held)
    if (!isTrusted) return 0
    return claims.areOthersWaiting ? Math.min(claims.held, fairShare(needs())) : claims.held
  }

  function admit(): void {
    while (waiting.length > 0 && used < allowed()) {
      used += 1
      waiting.shift()!()
    }
  }

  async function exchange(): Promise<void> {
    startedAt = monotonicNow()
    try {
      await parts.isKnownToOthers()
      await claims.update(hasFailed || !isTrusted)
      isTrusted = true
      hasFailed = false
    } catch (error) {
      hasFailed = true
      onError(error)
    } finally {
      startedAt = Number.POSITIVE_INFINITY
    }
  }

  async function exchangeNow(): Promise<void> {
    await flight.run()
    if (hasFailed || claims.missing > 0) seeksAt = monotonicNow() + (hasFailed ? PAUSE_AFTER_ERROR_MS : RETRY_MS)
    admit()
    if (waiting.length > 0) seek()
  }

  /** Looks for places now, unless there were none a moment ago, and again while calls wait. */
  function seek(): void {
    if (!flight.running && monotonicNow() >= seeksAt) void exchangeNow()
    if (isScheduled) return
    isScheduled = true
    schedule(RETRY_MS, () => {
      isScheduled = false
      admit()
      if (waiting.length > 0) seek()
    })
  }

  return {
    get free() {
      return Math.max(claims.held, size - claims.heldByOthers) - used
    },
    take() {
      parts.noteActivity()
      if (waiting.length === 0 && used < allowed()) {
        used += 1
        peak.add(used)
        return undefined
      }
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.push(resolve)
      peak.add(wanted())
      seek()
      return promise
    },
    leave() {
      used -= 1
      admit()
      if (claims.areOthersWaiting && used < claims.held && !flight.running && !hasFailed) void exchangeNow()
    },
    learn(row) {
      if (flight.running) return
      claims.learn(row)
      admit()
    },
    exchange: flight.run,
    get isDue() {
      // An exchange under way may wait for the round that asks.
      return !flight.running && (hasFailed || (claims.isKnown && claims.isDue()))
    },
    mistrust() {
      isTrusted = false
    },
  }
}
