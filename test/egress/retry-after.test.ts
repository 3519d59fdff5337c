import { expect } from 'chai'
import { parseRetryAfterMs } from '../../src/egress/retry-after.ts'

describe('a Retry-After header', () => {
  const now = Date.UTC(2026, 0, 1)
  for (const [header, ms] of [
    ['7', 7_000],
    [' 7 ', 7_000],
    ['Thu, 01 Jan 2026 00:00:40 GMT', 40_000],
    ['Thursday, 01-Jan-26 00:00:40 GMT', 40_000],
    ['Thu Jan  1 00:00:40 2026', 40_000],
    ['99999999', 60_000],
    ['0', null],
    ['-5', null],
    ['soon', null],
    ['Wed, 31 Dec 2025 00:00:00 GMT', null],
    [['7', '8'], null],
    [undefined, null],
  ] as const)
    it(`asks for ${ms === null ? 'no wait' : `${ms} ms`}: ${header}`, () => {
      const value = Array.isArray(header) ? [...header] : (header as string | undefined)
      expect(parseRetryAfterMs(value, { now, maxMs: 60_000 })).to.equal(ms)
    })
})
