import type { Expiries } from '../cache/invalidation.ts'
import type { FairCache } from '../cache/fair-cache.ts'
import { UpstreamError } from '../errors.ts'
import type { Source } from '../ports/system.ts'
import { type Asking, askedFor, type Leaving } from './request-scope.ts'
import { type Ask, createFlights, type FlightOptions, type Landing, type Passenger } from './request-batcher.ts'

/** One value of a section, as it could be had. `error` with a value: a last-good one; with `null`: nothing at all. */
export interface Filled<V> {
  value: V | null
  error: UpstreamError | null
  /** Milliseconds since the epoch: when the value was true. */
  asOf: number
  /** Whose it is. */
  system?: Source
}

export interface Kept {
  value: unknown
  asOf: number
  /** Of the expiries, when it was asked for. */
  version: number
}

/** How long a value is served: as it is, then while it is refreshed behind the answer, then only when its system fails. */
export interface Freshness {
  freshMs: number
  staleMs: number
  lastGoodMs: number
}

/** That something does not exist is believed for a few seconds: enough to break a flood, too short to hide a new product. */
const ABSENT: Freshness = { freshMs: 5_000, staleMs: 0, lastGoodMs: 60_000 }

export interface LoaderOptions<V> extends FlightOptions {
  system: Source
  /** Owner of the cached values, and the part of their key that keeps merchants and modes apart. */
  owner: string
  name: string
  cache: FairCache<Kept>
  ask: Ask<V>
  freshnessOf(id: string): Freshness
  /** What tells that a value has changed upstream, and by which tag; without it values age alone. */
  expiring?: { expiries: Expiries; tagOf(id: string): string }
  now: () => number
}

export interface Loader<V> {
  /** The values of these ids, in their order. Never rejects: each tells for itself how it went. */
  load(group: string, ids: readonly string[], asking: Asking): Promise<Filled<V>[]>
  one(group: string, id: string, asking: Asking): Promise<Filled<V>>
  /** Keeps a value that came along with another answer; `version`: of the expiries, when that was asked for. */
  keep(group: string, id: string, value: V | null, version?: number): void
  /** The value last kept, whatever its age, unless it was purged. */
  lastGood(group: string, id: string): V | null | undefined
  /** After an expiry: who asks from now on does not join what was asked for before. */
  part(): void
}

export function createLoader<V>(options: LoaderOptions<V>): Loader<V> {
  const { cache, owner, name, system, now, freshnessOf, expiring } = options
  const versionNow = () => expiring?.expiries.version ?? 0
  const keyOf = (group: string, id: string) => `${name}\n${group}\n${id}`

  function keep(group: string, id: string, value: V | null, version = versionNow()): void {
    // What was asked for before a change does not take the place of what was asked for after it.
    if ((kept(group, id)?.version ?? 0) > version) return
    cache.set(owner, keyOf(group, id), { value, asOf: now(), version }, sizeOf(value))
  }

  const flights = createFlights<V>((group, ids, asker) => {
    const version = versionNow()
    const running = options.ask(group, ids, asker)
    const answer = running.answer.then((values) => {
      for (const id of ids) keep(group, id, values.get(id) ?? null, version)
      return values
    })
    return {
      answer,
      abandon: running.abandon,
      calls: running.calls,
    }
  }, options)

  const kept = (group: string, id: string) =>
    cache.get(owner, keyOf(group, id)) as (Kept & { value: V | null }) | undefined

  const isExpired = (id: string, { version }: Kept) =>
    expiring?.expiries.isExpired(expiring.tagOf(id), version) ?? false

  const isPurged = (id: string, { version }: Kept) => expiring?.expiries.isPurged(expiring.tagOf(id), version) ?? false

  /** What can be said without asking: a fresh value, or a stale one that is being refreshed behind the answer. */
  function atHand(group: string, id: string, requestId: string): Filled<V> | null {
    const have = kept(group, id)
    if (!have || isExpired(id, have)) return null
    const ageMs = now() - have.asOf
    const { freshMs, staleMs } = have.value === null ? ABSENT : freshnessOf(id)
    if (ageMs >= freshMs + staleMs) return null
    if (ageMs >= freshMs) flights.board(group, id, null, { requestId })
    return { value: have.value, error: null, asOf: have.asOf, system }
  }

  function failed(group: string, id: string, error: UpstreamError): Filled<V> {
    error.system ??= system
    // A page of two systems names the one that failed.
    const of = { error, system: error.system }
    const have = kept(group, id)
    const { lastGoodMs } = have?.value === null ? ABSENT : freshnessOf(id)
    if (!have || now() - have.asOf > lastGoodMs || isPurged(id, have)) return { ...of, value: null, asOf: 0 }
    if (have.value === null) return { value: null, error: null, asOf: have.asOf, system }
    return { ...of, value: have.value, asOf: have.asOf }
  }

  /** With the time that it was kept with: whoever is served from the cache reads the same one. */
  function landed(group: string, id: string, value: V | null): Filled<V> {
    const have = kept(group, id)
    return { value, error: null, asOf: have?.value === value ? have.asOf : now(), system }
  }

  function fly(group: string, missing: Map<string, number[]>, filled: Filled<V>[], asking: Asking) {
    return new Promise<Filled<V>[]>((resolve) => {
      const settle = (id: string, landing: Landing<V>) => {
        for (const call of landing.calls) asking.calls.add(call)
        const value = landing.error ? failed(group, id, landing.error) : landed(group, id, landing.value)
        for (const at of missing.get(id) ?? []) filled[at] = value
        missing.delete(id)
        if (missing.size > 0) return
        asking.offLeave(onLeave)
        resolve(filled)
      }
      const passenger: Passenger<V> = { land: settle }
      const onLeave: Leaving = (outOfTime) => {
        const error = outOfTime
          ? new UpstreamError('timeout', `${system}: the request had no time left`, {
              said: 'the request had no time left',
            })
          : new UpstreamError('aborted', 'the asker left')
        for (const id of [...missing.keys()]) {
          const calls = [...flights.leave(group, id, passenger, outOfTime)]
          // Whose answer it waited for in the end.
          error.system ??= calls.at(-1)?.system ?? null
          settle(id, { value: null, error, calls })
        }
      }
      asking.onLeave(onLeave)
      for (const id of missing.keys()) flights.board(group, id, passenger, asking)
    })
  }

  async function load(group: string, ids: readonly string[], asking: Asking): Promise<Filled<V>[]> {
    const fault = asking.faults[system]
    if (fault) return ids.map(() => ({ value: null, error: askedFor(fault, system), asOf: 0, system }))
    if (expiring) for (const id of ids) asking.tags.add(expiring.tagOf(id))
    const filled = new Array<Filled<V>>(ids.length)
    const missing = new Map<string, number[]>()
    ids.forEach((id, at) => {
      const found = missing.has(id) ? null : atHand(group, id, asking.requestId)
      if (found) filled[at] = found
      else if (missing.has(id)) missing.get(id)!.push(at)
      else missing.set(id, [at])
    })
    return missing.size === 0 ? filled : fly(group, missing, filled, asking)
  }

  return {
    load,
    one: async (group, id, asking) => (await load(group, [id], asking))[0]!,
    keep,
    lastGood(group, id) {
      const have = kept(group, id)
      return have && !isPurged(id, have) ? have.value : undefined
    },
    part: () => flights.part(),
  }
}

/** The heap that a JSON-like value holds is about twice its text, which is what is at hand to measure it by. */
function sizeOf(value: unknown): number {
  return value === null ? 0 : JSON.stringify(value).length * 2
}
