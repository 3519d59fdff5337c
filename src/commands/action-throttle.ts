import { createHmac, randomBytes } from 'node:crypto'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { Problem } from '../errors.ts'
import { toNetwork } from '../security/ip-address.ts'
import type { Tenant } from '../tenant.ts'

const MINUTE = 60
const QUARTER_HOUR = 900
const HOUR = 3_600

/** The number of attempts (`points`) that a subject has within `duration` seconds. `…ByAddress` counts by client address. */
const allowances = {
  /** Counted by email address. A successful sign-in resets it. */
  logins: { points: 20, duration: QUARTER_HOUR },
  loginsByAddress: { points: 100, duration: QUARTER_HOUR },
  /** Counted by email address. */
  emails: { points: 5, duration: HOUR },
  emailsByAddress: { points: 60, duration: HOUR },
  tokensByAddress: { points: 100, duration: QUARTER_HOUR },
  /** Counted by customer. A code that applies is refunded. */
  promotionCodes: { points: 10, duration: MINUTE },
  /** Counted by tenant: each ping holds a connection to a third party's server. */
  pings: { points: 60, duration: MINUTE },
  /** Counted by tenant: each recovery scans all events of its range, and may create a thousand deliveries. */
  recoveries: { points: 60, duration: MINUTE },
  redeliveries: { points: 300, duration: MINUTE },
} as const

export type ThrottledAction = keyof typeof allowances

/** Limits attempts within this process. It counts existing and unknown subjects alike, so that it reveals neither. */
export interface ActionThrottle {
  /** Counts an attempt. Throws `rate_limited` when none is left. `subject: null` is not counted. */
  take(action: ThrottledAction, tenant: Tenant, subject: string | null): Promise<void>
  /** Gives one attempt back. */
  refund(action: ThrottledAction, tenant: Tenant, subject: string | null): Promise<void>
  /** Gives a subject all of its attempts back. */
  reset(action: ThrottledAction, tenant: Tenant, subject: string): Promise<void>
}

export function createActionThrottle(): ActionThrottle {
  const limiters = Object.fromEntries(
    Object.entries(allowances).map(([name, allowance]) => [
      name,
      new RateLimiterMemory({ keyPrefix: name, ...allowance }),
    ]),
  ) as Record<ThrottledAction, RateLimiterMemory>
  const secret = randomBytes(32)

  /** One of about a million counters, so that invented subjects cannot fill the memory. The secret keeps anybody from choosing a subject that shares another's counter. */
  const bucketOf = ({ merchant, mode }: Tenant, subject: string) =>
    createHmac('sha256', secret)
      .update(`${merchant}\n${mode}\n${toNetwork(subject)}`)
      .digest('hex')
      .slice(0, 5)

  return {
    async take(action, tenant, subject) {
      if (subject === null) return
      try {
        await limiters[action].consume(bucketOf(tenant, subject))
      } catch (rejection) {
        if (!(rejection instanceof RateLimiterRes)) throw rejection
        const seconds = Math.max(1, Math.ceil(rejection.msBeforeNext / 1_000))
        const detail = 'Too many attempts. Retry after the number of seconds in Retry-After.'
        throw new Problem('rate_limited', detail, { headers: { 'Retry-After': String(seconds) } })
      }
    },
    async refund(action, tenant, subject) {
      if (subject === null) return
      await limiters[action].reward(bucketOf(tenant, subject))
    },
    async reset(action, tenant, subject) {
      await limiters[action].delete(bucketOf(tenant, subject))
    },
  }
}
