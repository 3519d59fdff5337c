import { createHmac, randomBytes } from 'node:crypto'
import { isIPv6, SocketAddress } from 'node:net'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { Problem } from '../errors.ts'
import type { TenantColumns } from '../storage/shoppers/shopper-accounts.ts'

const MINUTE = 60
const QUARTER_HOUR = 900
const HOUR = 3_600

/** How many tries there are in so many seconds, by what is tried. `…From` counts by client address, where one is known, the others by mailbox. */
const allowances = {
  /** Given back by a sign-in that succeeds. */
  logins: { points: 20, duration: QUARTER_HOUR },
  loginsFrom: { points: 100, duration: QUARTER_HOUR },
  letters: { points: 5, duration: HOUR },
  lettersFrom: { points: 60, duration: HOUR },
  tokensFrom: { points: 100, duration: QUARTER_HOUR },
  /** Of a merchant and mode: each holds a connection to a stranger's server, and nobody has asked that one. */
  pings: { points: 60, duration: MINUTE },
  /** Likewise: each looks through all events of its time, and may make a thousand deliveries. */
  recoveries: { points: 60, duration: MINUTE },
  redeliveries: { points: 300, duration: MINUTE },
} as const

export type ThrottledAction = keyof typeof allowances

/** Counts tries in this process, alike for what exists and what does not. */
export interface ActionThrottle {
  /** Throws `rate_limited` when no try is left. */
  take(allowance: ThrottledAction, realm: TenantColumns, who: string | null): Promise<void>
  giveBack(allowance: ThrottledAction, realm: TenantColumns, who: string | null): Promise<void>
  /** All tries again. */
  forget(allowance: ThrottledAction, realm: TenantColumns, who: string): Promise<void>
}

export function createActionThrottle(): ActionThrottle {
  const limiters = Object.fromEntries(
    Object.entries(allowances).map(([name, of]) => [name, new RateLimiterMemory({ keyPrefix: name, ...of })]),
  ) as Record<ThrottledAction, RateLimiterMemory>
  const secret = randomBytes(32)

  /** One of a million counters, so that invented names cannot fill the memory; which one, nobody can work out to share another's. */
  const bucketOf = ({ tenant_id, mode }: TenantColumns, who: string) =>
    createHmac('sha256', secret)
      .update(`${tenant_id}\n${mode}\n${whole(who)}`)
      .digest('hex')
      .slice(0, 5)

  return {
    async take(allowance, realm, who) {
      if (who === null) return
      try {
        await limiters[allowance].consume(bucketOf(realm, who))
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused
        const seconds = Math.max(1, Math.ceil(refused.msBeforeNext / 1_000))
        const detail = 'Too many tries; try again later, see Retry-After.'
        throw new Problem('rate_limited', detail, { headers: { 'Retry-After': String(seconds) } })
      }
    },
    async giveBack(allowance, realm, who) {
      if (who === null) return
      await limiters[allowance].reward(bucketOf(realm, who))
    },
    async forget(allowance, realm, who) {
      await limiters[allowance].delete(bucketOf(realm, who))
    },
  }
}

/** Whoever has an address of IPv6 has the 2⁶⁴ beside it too. */
function whole(who: string): string {
  if (!isIPv6(who)) return who
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(who)?.[1]
  if (mapped) return mapped
  const [head = '', tail = ''] = new SocketAddress({ family: 'ipv6', address: who.replace(/%.*/, '') }).address.split(
    '::',
  )
  const groups = head === '' ? [] : head.split(':')
  const after = tail === '' ? 0 : tail.split(':').length
  while (groups.length + after < 8) groups.push('0')
  return groups.slice(0, 4).join(':')
}
