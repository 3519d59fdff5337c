import type { ProblemCode } from '../../problem-types.ts'
import type { Tenant } from '../../tenant.ts'
import type { CallTrace } from '../../upstream/request/call-trace.ts'
import { countInTally } from '../counts/tally.ts'
import {
  addTimeBucket,
  createTimeBucket,
  emptyKeyTally,
  getSectionTally,
  getTenantBucket,
  type TenantBucket,
  TIME_BUCKET_MS,
  type TimeBucket,
} from '../counts/time-bucket.ts'
import type { FinishedRequest } from '../finished-request.ts'
import { getOrCreate } from '../get-or-create.ts'
import { createRollupBuffer, type RollupBuffer } from './rollup-buffer.ts'

export interface TrafficCounts {
  /** Counts a response and the use of its key. Returns the bucket of its tenant; `null` when it has none. */
  countRequest(request: FinishedRequest, at: number): TenantBucket | null
  /** Counts a call, unless it runs in the background. */
  countCall(tenant: Tenant, call: CallTrace, at: number): void
  /** The sum of the last minute. */
  recent(at: number): TimeBucket
  /** The counts that are not written yet, including the current bucket. */
  rollups(): RollupBuffer
}

const RECENT_MS = 60_000

/** Counts in the current bucket: for most requests that is a few additions. */
export function createTrafficCounts(): TrafficCounts {
  const unwritten = createRollupBuffer()
  let current = createTimeBucket(0)
  let recentBuckets: TimeBucket[] = []

  function bucketAt(at: number): TimeBucket {
    if (at >= current.startsAt + TIME_BUCKET_MS || at < current.startsAt) finishBucket(at)
    return current
  }

  /** Ends the current bucket: its counts are to be written, and stay in memory for a minute. */
  function finishBucket(at: number): void {
    if (current.tenants.size > 0 || current.keys.size > 0) {
      unwritten.add(current)
      const previous = recentBuckets.at(-1)
      if (previous?.startsAt === current.startsAt) addTimeBucket(previous, current)
      else recentBuckets.push(current)
    }
    current = createTimeBucket(at)
    recentBuckets = recentBuckets.filter(({ startsAt }) => isRecent(startsAt, at))
  }

  return {
    countRequest(request, at) {
      const { tenant, keyId } = request
      const bucket = bucketAt(at)
      if (keyId !== null) countKey(bucket, keyId, request, at)
      if (tenant === null) return null
      const tenantBucket = getTenantBucket(bucket, { merchant: tenant, mode: request.mode })
      countInTally(tenantBucket.answers, request.ms)
      return tenantBucket
    },
    countCall(tenant, { system, circuit = system, outcome, attempts, ms, background }, at) {
      // No shopper sees a background call that is slow or fails, and at night most calls are in the background.
      if (outcome === 'aborted' || outcome === 'pending' || background) return
      const tally = getSectionTally(getTenantBucket(bucketAt(at), tenant), circuit, '')
      countInTally(tally, attempts > 0 ? ms : null)
      if (outcome !== 'ok') tally.degraded += 1
    },
    recent(at) {
      const sum = createTimeBucket(at)
      for (const bucket of [...recentBuckets, current]) if (isRecent(bucket.startsAt, at)) addTimeBucket(sum, bucket)
      return sum
    },
    rollups() {
      finishBucket(current.startsAt)
      return unwritten
    },
  }
}

const isRecent = (startsAt: number, at: number) => startsAt > at - RECENT_MS && startsAt <= at

/** A limit of one shopper, such as that of sign-ins, says nothing about the key. An earlier release did not name the limit. */
const isLimitOfKey = ({ reachedLimit }: FinishedRequest) =>
  reachedLimit === undefined || reachedLimit.name === 'key' || reachedLimit.name === 'client'

/** A wrong password or an expired shopper token says nothing about the key. */
const keyRefusalCodes: ReadonlySet<string | undefined> = new Set<ProblemCode | undefined>([
  'invalid_api_key',
  'publishable_key_not_allowed',
  'insufficient_scope',
  'origin_not_allowed',
  'sandbox_disabled',
])

/** Returns whether a response refused its key, or reached a limit of the key. */
function concernsKey(request: FinishedRequest): boolean {
  const { status, code } = request
  if (status === 429) return isLimitOfKey(request)
  return (status === 401 || status === 403) && keyRefusalCodes.has(code)
}

function countKey(bucket: TimeBucket, keyId: string, request: FinishedRequest, at: number): void {
  const { status, code } = request
  const key = getOrCreate(bucket.keys, keyId, emptyKeyTally)
  key.requests += 1
  if (!concernsKey(request)) return
  if (status === 429) key.limited += 1
  else key.refused += 1
  key.lastCode = code ?? null
  key.lastAt = at
}
