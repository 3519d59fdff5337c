import { expect } from 'chai'
import type { Problem } from '../../../src/errors.ts'
import { limitClients } from '../../../src/http/limits/client-rate-limiter.ts'
import { createKeyRateLimiter } from '../../../src/http/limits/key-rate-limiter.ts'
import type { RateLimiter } from '../../../src/http/limits/rate-limiter.ts'
import { readMonotonicMs } from '../../../src/http/limits/read-monotonic-ms.ts'
import type { ApiKey } from '../../../src/storage/keys/api-keys.ts'

const keyOf = (limit: number, perClient: number | null, key_id = 'k') =>
  ({ key_id, rate_limit_per_minute: limit, rate_limit_per_client: perClient }) as ApiKey

describe('the limit of a client of a publishable key', () => {
  let now: number
  let limits: RateLimiter

  beforeEach(() => {
    now = 1_000_000
    limits = limitClients(createKeyRateLimiter(), { now: () => now })
  })

  /** Returns how many of some requests pass. */
  function admit(requests: number, key: ApiKey, address: string): number {
    return Array.from({ length: requests }, () => refusalOf(key, address)).filter((problem) => problem === null).length
  }

  function refusalOf(key: ApiKey, address: string): Problem | null {
    try {
      limits.charge(key, address)
      return null
    } catch (error) {
      return error as Problem
    }
  }

  it('holds, and its refusals do not count against the key', () => {
    const key = keyOf(100, 10)
    expect(admit(500, key, '192.0.2.66')).to.equal(10)
    expect(limits.charge(key, '192.0.2.1').remaining).to.equal(100 - 10 - 1)
  })

  it('is one for a /64 network, and another for each network and key', () => {
    const key = keyOf(100, 3)
    expect(admit(2, key, '2001:db8:0:1::1')).to.equal(2)
    expect(admit(2, key, '2001:db8:0:1:ffff::9')).to.equal(1)
    expect(admit(4, key, '2001:db8:0:2::1')).to.equal(3)
    expect(admit(4, keyOf(100, 3, 'other'), '2001:db8:0:1::1')).to.equal(3)
    expect(admit(4, key, 'unknown')).to.equal(3)
  })

  it('does not exist for a secret key', () => {
    const charge = limits.charge(keyOf(100, null), '192.0.2.1')
    expect(charge).to.not.have.property('client')
    expect(admit(200, keyOf(100, null), '192.0.2.1')).to.equal(99)
  })

  it('starts again after a minute', () => {
    const key = keyOf(100, 3)
    const [charge] = [limits.charge(key, '192.0.2.1')]
    expect(charge.client).to.include({ limit: 3, remaining: 2, resetSeconds: 60 })
    now += 59_999
    expect(admit(9, key, '192.0.2.1')).to.equal(2)
    now += 1
    expect(admit(9, key, '192.0.2.1')).to.equal(3)
    // A refund of the minute before changes nothing.
    limits.refund(key, charge)
    expect(admit(9, key, '192.0.2.1')).to.equal(0)
  })

  it('counts whole milliseconds, because a full minute in fractions could be rounded up to 61 seconds', () => {
    const readings = Array.from({ length: 100 }, readMonotonicMs)
    expect(readings.filter((ms) => !Number.isInteger(ms))).to.deep.equal([])
  })

  it('is refunded with that of the key', () => {
    const key = keyOf(100, 2)
    for (let n = 0; n < 5; n++) {
      const refunded = limits.refund(key, limits.charge(key, '192.0.2.1'))
      expect([refunded.remaining, refunded.client?.remaining]).to.deep.equal([100, 2])
    }
    expect(admit(9, key, '192.0.2.1')).to.equal(2)
  })

  it('remembers no client whom the key refuses, and forgets those that were away longest', () => {
    limits = limitClients(createKeyRateLimiter(), { now: () => now, maxClients: 3 })
    const key = keyOf(6, 1)
    for (const client of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) expect(admit(1, key, client)).to.equal(1)
    expect(admit(1, keyOf(6, 1), '192.0.2.1')).to.equal(0)
    expect(admit(1, key, '192.0.2.4')).to.equal(1)
    expect([admit(1, key, '192.0.2.1'), admit(1, key, '192.0.2.2')]).to.deep.equal([0, 1])
    expect(admit(1, key, '192.0.2.5')).to.equal(1)
    // The key's minute is over: the four that are refused now displace nobody.
    for (const client of ['192.0.2.6', '192.0.2.7', '192.0.2.8', '192.0.2.9']) expect(admit(1, key, client)).to.equal(0)
  })

  it('is reported beside that of the key', () => {
    const key = keyOf(100, 1)
    limits.charge(key, '192.0.2.1')
    const problem = refusalOf(key, '192.0.2.1')!
    expect(problem).to.include({ code: 'rate_limited', limit: 'client' })
    expect(problem.detail).to.include('This client')
    expect(problem.headers).to.deep.equal({
      'RateLimit-Policy': '"client";q=1;w=60',
      RateLimit: '"client";r=0;t=60',
      'X-RateLimit-Limit': '1',
      'X-RateLimit-Remaining': '0',
      'X-RateLimit-Reset': '60',
      'Retry-After': '60',
    })
  })
})
