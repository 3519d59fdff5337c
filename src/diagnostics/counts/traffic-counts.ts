import type { Mode } from '../../config/config.ts'
import type { CallTrace } from '../../upstream/call-trace.ts'
import type { Outcome } from '../request-outcome.ts'
import { createPending, type Pending } from '../buffers/rollup-buffer.ts'
import { addSlot, noKeyTally, type OwnerSlot, ownerIn, partIn, SLOT_MS, type Slot, slotAt } from './time-bucket.ts'
import { count, made } from './tally.ts'

export interface Counts {
  /** Counts the answer and its key. `null`: nobody's. */
  answered(outcome: Outcome, at: number): OwnerSlot | null
  /** Calls in the background are not counted: what they did to the circuit is all that is told of them. */
  called(tenant: string, mode: Mode, call: CallTrace, at: number): void
  /** All of the last minute. */
  recent(at: number): Slot
  /** What is to be written, with what was counted until now. */
  pending(): Pending
}

const RECENT_MS = 60_000

/** Counts into the slot of now: adding to a few numbers is all that most requests cost. */
export function createCounts(): Counts {
  const pending = createPending()
  let slot = slotAt(0)
  let past: Slot[] = []

  function slotOf(at: number): Slot {
    if (at >= slot.startsAt + SLOT_MS || at < slot.startsAt) fold(at)
    return slot
  }

  /** Ends the slot: what it counted is to be written, and remembered for a minute. */
  function fold(at: number): void {
    if (slot.owners.size > 0 || slot.keys.size > 0) {
      pending.add(slot)
      const last = past.at(-1)
      if (last?.startsAt === slot.startsAt) addSlot(last, slot)
      else past.push(slot)
    }
    slot = slotAt(at)
    past = past.filter(({ startsAt }) => isRecent(startsAt, at))
  }

  return {
    answered(outcome, at) {
      const { tenant, keyId } = outcome
      const current = slotOf(at)
      if (keyId !== null) countKey(current, keyId, outcome, at)
      if (tenant === null) return null
      const owner = ownerIn(current, tenant, outcome.mode)
      count(owner.answers, outcome.ms)
      return owner
    },
    called(tenant, mode, { system, outcome, attempts, ms, background }, at) {
      // What nobody waits for may take long, and fail: no shopper sees it, and at night it would be most of what there is.
      if (outcome === 'aborted' || outcome === 'pending' || background) return
      const tally = partIn(ownerIn(slotOf(at), tenant, mode), system, '')
      count(tally, attempts > 0 ? ms : null)
      if (outcome !== 'ok') tally.degraded += 1
    },
    recent(at) {
      const all = slotAt(at)
      for (const one of [...past, slot]) if (isRecent(one.startsAt, at)) addSlot(all, one)
      return all
    },
    pending() {
      fold(slot.startsAt)
      return pending
    },
  }
}

const isRecent = (startsAt: number, at: number) => startsAt > at - RECENT_MS && startsAt <= at

function countKey(slot: Slot, keyId: string, { status, code }: Outcome, at: number): void {
  const key = made(slot.keys, keyId, noKeyTally)
  key.requests += 1
  if (status !== 401 && status !== 403 && status !== 429) return
  if (status === 429) key.limited += 1
  else key.refused += 1
  key.lastCode = code ?? null
  key.lastAt = at
}
