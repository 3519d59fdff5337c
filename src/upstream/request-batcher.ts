import { UpstreamError } from '../errors.ts'
import type { CallTrace } from './call-trace.ts'
import type { Running } from './guard.ts'
import type { Asker } from './trace-recorder.ts'

export type Landing<V> = ({ value: V | null; error: null } | { value: null; error: UpstreamError }) & {
  /** What was asked for it. */
  calls: Iterable<CallTrace>
}

/** Asks for many ids of one group at once; an id that is missing from the answer has no value. */
export type Ask<V> = (group: string, ids: string[], asker: Asker) => Running<Map<string, V>>

export interface Passenger<V> {
  land(id: string, landing: Landing<V>): void
}

export interface FlightOptions {
  /** How long a flight waits for others before it leaves; 0 leaves at once. */
  windowMs: number
  /** Ids in one flight at the most, counted by `weightOf` when several ids are one thing to the system. */
  maxIds: number
  weightOf?: (id: string) => string
}

interface Flight<V> {
  group: string
  ids: Set<string>
  /** How many of the ids are each thing that counts against `maxIds`. */
  weights: Map<string, number>
  seats: Map<string, Set<Passenger<V>>>
  asker: Asker
  /** Refreshes behind an answer: nobody waits, and yet the flight goes on. */
  background: boolean
  running: Running<Map<string, V>> | null
}

/**
 * Single-flight and batching in one: an id that is already on its way is joined, others gather for a moment and leave together.
 * Passengers are counted: one who leaves takes only itself away; when the last has left the question upstream is abandoned.
 * Only what is under way is shared: a landed value or failure is never handed to a later asker.
 */
export interface Flights<V> {
  board(group: string, id: string, passenger: Passenger<V> | null, asker: Asker): void
  /** `outOfTime`: its deadline came, rather than its own going. Gives the calls that it had waited for. */
  leave(group: string, id: string, passenger: Passenger<V>, outOfTime?: boolean): Iterable<CallTrace>
  /** What is under way is not joined any more; it lands for those who are aboard. */
  part(): void
}

export function createFlights<V>(ask: Ask<V>, options: FlightOptions): Flights<V> {
  const inFlight = new Map<string, Flight<V>>()
  const gathering = new Map<string, Flight<V>>()
  /** Under way, and not joined any more. */
  const parted = new Set<Flight<V>>()
  const keyOf = (group: string, id: string) => `${group}\n${id}`
  const weightOf = options.weightOf ?? ((id: string) => id)

  function gather(group: string, id: string, asker: Asker): Flight<V> {
    const open = gathering.get(group)
    if (open && (open.weights.size < options.maxIds || open.weights.has(weightOf(id)))) return open
    if (open) depart(open)
    const flight: Flight<V> = {
      group,
      ids: new Set(),
      weights: new Map(),
      seats: new Map(),
      asker,
      background: false,
      running: null,
    }
    gathering.set(group, flight)
    if (options.windowMs === 0) queueMicrotask(() => depart(flight))
    else setTimeout(depart, options.windowMs, flight)
    return flight
  }

  function depart(flight: Flight<V>): void {
    if (flight.running !== null) return
    if (gathering.get(flight.group) === flight) gathering.delete(flight.group)
    if (flight.ids.size === 0) return
    const running = ask(flight.group, [...flight.ids], flight.asker)
    flight.running = running
    running.answer.then(
      (values) => land(flight, (id) => ({ value: values.get(id) ?? null, error: null, calls: running.calls })),
      (error) => land(flight, () => ({ value: null, error: asFailure(error), calls: running.calls })),
    )
  }

  function land(flight: Flight<V>, landingOf: (id: string) => Landing<V>): void {
    parted.delete(flight)
    for (const id of flight.ids) {
      const key = keyOf(flight.group, id)
      if (inFlight.get(key) === flight) inFlight.delete(key)
      const landing = landingOf(id)
      for (const passenger of flight.seats.get(id) ?? []) passenger.land(id, landing)
    }
    flight.seats.clear()
  }

  function drop(flight: Flight<V>, id: string, outOfTime: boolean): void {
    const key = keyOf(flight.group, id)
    flight.seats.delete(id)
    if (inFlight.get(key) === flight) inFlight.delete(key)
    if (flight.running === null) {
      flight.ids.delete(id)
      const left = flight.weights.get(weightOf(id))! - 1
      if (left > 0) flight.weights.set(weightOf(id), left)
      else flight.weights.delete(weightOf(id))
    } else if (flight.seats.size === 0 && !flight.background) flight.running.abandon(outOfTime)
  }

  return {
    board(group, id, passenger, asker) {
      const key = keyOf(group, id)
      let flight = inFlight.get(key)
      if (!flight) {
        flight = gather(group, id, asker)
        flight.ids.add(id)
        flight.weights.set(weightOf(id), (flight.weights.get(weightOf(id)) ?? 0) + 1)
        inFlight.set(key, flight)
      }
      if (passenger === null) {
        flight.background = true
        return
      }
      // Of those who wait for it, not one behind whose answer it refreshes.
      if (flight.running === null && flight.seats.size === 0) flight.asker = asker
      const seats = flight.seats.get(id)
      if (seats) seats.add(passenger)
      else flight.seats.set(id, new Set([passenger]))
    },
    leave(group, id, passenger, outOfTime = false) {
      const isAboard = (one: Flight<V> | undefined) => one?.group === group && one.seats.get(id)?.has(passenger)
      const joined = inFlight.get(keyOf(group, id))
      const flight = isAboard(joined) ? joined : parted.values().find(isAboard)
      const seats = flight?.seats.get(id)
      if (!flight || !seats?.delete(passenger)) return []
      if (seats.size === 0) {
        if (!flight.background) drop(flight, id, outOfTime)
        else flight.seats.delete(id)
      }
      return flight.running?.calls ?? []
    },
    part() {
      for (const [key, flight] of inFlight) {
        if (flight.running === null) continue
        inFlight.delete(key)
        parted.add(flight)
      }
    },
  }
}

function asFailure(error: unknown): UpstreamError {
  return error instanceof UpstreamError ? error : new UpstreamError('error', String(error), { cause: error })
}
