import { Problem } from '../errors.ts'
import { toNetwork } from '../security/ip-address.ts'
import { sha256Hex } from '../security/sha256.ts'
import { countAttempt, deleteAttempts, uncountAttempt } from '../storage/attempt-counters.ts'
import type { Database } from '../storage/database.ts'
import type { Tenant } from '../tenant.ts'

const MINUTE_MS = 60_000
const QUARTER_HOUR_MS = 15 * MINUTE_MS
const HOUR_MS = 60 * MINUTE_MS

/** The number of attempts (`points`) that a subject has within a window. `…ByAddress` counts by client address. */
export const throttleAllowances = {
  /** Counted by account together with the client's address or device. A successful sign-in resets it. */
  logins: { points: 20, durationMs: QUARTER_HOUR_MS },
  loginsByAddress: { points: 100, durationMs: QUARTER_HOUR_MS },
  /** Counted by account, for clients that the account does not know. It limits guesses from many addresses; one address cannot reach it. */
  loginsByAccount: { points: 200, durationMs: HOUR_MS },
  /** Counted by email address together with the client's address or device. */
  registrations: { points: 5, durationMs: HOUR_MS },
  resets: { points: 5, durationMs: HOUR_MS },
  emailsByAddress: { points: 60, durationMs: HOUR_MS },
  /** Counted by email address. Resets do not use up registrations: strangers can ask for any number of resets of an address that has no account. */
  registrationsByAccount: { points: 10, durationMs: HOUR_MS },
  /** Counted by email address, for clients that the account does not know. The token of a reset lasts as long. */
  resetsByAccount: { points: 10, durationMs: HOUR_MS },
  /** Resets of an address without an account send nothing. Counting them takes as long as counting those of an account. */
  resetsWithoutAccount: { points: 10, durationMs: HOUR_MS },
  wrongTokensByAddress: { points: 100, durationMs: QUARTER_HOUR_MS },
  /** Counted by customer. A code that applies is refunded. */
  promotionCodes: { points: 10, durationMs: MINUTE_MS },
  /** Counted by tenant: each ping holds a connection to a third party's server. */
  pings: { points: 60, durationMs: MINUTE_MS },
  /** Counted by tenant: each recovery scans all events of its range, and may create a thousand deliveries. */
  recoveries: { points: 60, durationMs: MINUTE_MS },
  redeliveries: { points: 300, durationMs: MINUTE_MS },
} as const

export type ThrottledAction = keyof typeof throttleAllowances

/** One or more texts that are counted together. `null` is not counted. */
export type ThrottleSubject = string | readonly string[] | null

/** Limits attempts, for all processes on the store. It counts existing and unknown subjects alike, so that it reveals neither. */
export interface ActionThrottle {
  /** Counts an attempt. Throws `rate_limited` when none is left. */
  take(action: ThrottledAction, tenant: Tenant, subject: ThrottleSubject): Promise<void>
  /** Counts an attempt. `false`: none is left. */
  tryTake(action: ThrottledAction, tenant: Tenant, subject: ThrottleSubject): Promise<boolean>
  /** Gives one attempt back. */
  refund(action: ThrottledAction, tenant: Tenant, subject: ThrottleSubject): Promise<void>
  /** Gives a subject all of its attempts back. */
  reset(action: ThrottledAction, tenant: Tenant, subject: ThrottleSubject): Promise<void>
}

export function createActionThrottle({ db, now }: { db: Database; now: () => number }): ActionThrottle {
  /** Returns the seconds to wait; 0: the attempt was within the limit. */
  async function count(action: ThrottledAction, tenant: Tenant, subject: ThrottleSubject): Promise<number> {
    if (subject === null) return 0
    const { points, durationMs } = throttleAllowances[action]
    const at = now()
    const { count, endsAt } = await countAttempt(db, toDigest(action, tenant, subject), { now: at, durationMs })
    return count <= points ? 0 : Math.max(1, Math.ceil((endsAt - at) / 1_000))
  }

  return {
    async take(action, tenant, subject) {
      const seconds = await count(action, tenant, subject)
      if (seconds === 0) return
      const detail = 'Too many attempts. Retry after the number of seconds in Retry-After.'
      throw new Problem('rate_limited', detail, { headers: { 'Retry-After': String(seconds) }, limit: action })
    },
    tryTake: async (action, tenant, subject) => (await count(action, tenant, subject)) === 0,
    async refund(action, tenant, subject) {
      if (subject !== null) await uncountAttempt(db, toDigest(action, tenant, subject))
    },
    async reset(action, tenant, subject) {
      if (subject !== null) await deleteAttempts(db, toDigest(action, tenant, subject))
    },
  }
}

/** The digest bounds the size of a row, and keeps addresses out of the store. */
function toDigest(action: ThrottledAction, { merchant, mode }: Tenant, subject: string | readonly string[]): string {
  return sha256Hex(JSON.stringify([action, merchant, mode, ...[subject].flat().map(toNetwork)]))
}
