import type { Mode } from '../../config/config.ts'
import type { CallTrace } from '../../upstream/call-trace.ts'
import { createRollupBuffer, type RollupBuffer } from '../buffers/rollup-buffer.ts'
import type { RequestOutcome } from '../request-outcome.ts'
import { countInTally, getOrCreate } from './tally.ts'
import {
  addTimeBucket,
  createTimeBucket,
  emptyKeyTally,
  getSectionTally,
  getTenantBucket,
  type TenantBucket,
  TIME_BUCKET_MS,
  type TimeBucket,
} from './time-bucket.ts'

export interface TrafficCounts {
  /** Counts the answer and its key. `null`: nobody's. */
  countRequest(outcome: RequestOutcome, at: number): TenantBucket | null
  /** Calls in the background are not counted: what they did to the circuit is all that is told of them. */
  countCall(tenant: string, mode: Mode, call: CallTrace, at: number): void
  /** All of the last minute. */
  recent(at: number): TimeBucket
  /** What is to be written, with what was counted until now. */
  rollups(): RollupBuffer
}

const RECENT_MS = 60_000

/** Counts into the slot of now: adding to a few numbers is all that most requests cost. */
export function createTrafficCounts(): TrafficCounts {
  const pending = createRollupBuffer()
  let slot = createTimeBucket(0)
  let past: TimeBucket[] = []

  function slotOf(at: number): TimeBucket {
    if (at >= slot.startsAt + TIME_BUCKET_MS || at < slot.startsAt) fold(at)
    return slot
  }

  /** Ends the slot: what it counted is to be written, and remembered for a minute. */
  function fold(at: number): void {
    if (slot.tenants.size > 0 || slot.keys.size > 0) {
      pending.add(slot)
      const last = past.at(-1)
      if (last?.startsAt === slot.startsAt) addTimeBucket(last, slot)
      else past.push(slot)
    }
    slot = createTimeBucket(at)
    past = past.filter(({ startsAt }) => isRecent(startsAt, at))
  }

  return {
    countRequest(outcome, at) {
      const { tenant, keyId } = outcome
      const current = slotOf(at)
      if (keyId !== null) countKey(current, keyId, outcome, at)
      if (tenant === null) return null
      const owner = getTenantBucket(current, tenant, outcome.mode)
      countInTally(owner.answers, outcome.ms)
      return owner
    },
    countCall(tenant, mode, { system, outcome, attempts, ms, background }, at) {
      // What nobody waits for may take long, and fail: no shopper sees it, and at night it would be most of what there is.
      if (outcome === 'aborted' || outcome === 'pending' || background) return
      const tally = getSectionTally(getTenantBucket(slotOf(at), tenant, mode), system, '')
      countInTally(tally, attempts > 0 ? ms : null)
      if (outcome !== 'ok') tally.degraded += 1
    },
    recent(at) {
      const all = createTimeBucket(at)
      for (const one of [...past, slot]) if (isRecent(one.startsAt, at)) addTimeBucket(all, one)
      return all
    },
    rollups() {
      fold(slot.startsAt)
      return pending
    },
  }
}

const isRecent = (startsAt: number, at: number) => startsAt > at - RECENT_MS && startsAt <= at

function countKey(slot: TimeBucket, keyId: string, { status, code }: RequestOutcome, at: number): void {
  const key = getOrCreate(slot.keys, keyId, emptyKeyTally)
  key.requests += 1
  if (status !== 401 && status !== 403 && status !== 429) return
  if (status === 429) key.limited += 1
  else key.refused += 1
  key.lastCode = code ?? null
  key.lastAt = at
}
