import { expect } from 'chai'
import type { SectionErrorCode } from '../../src/contract/section-error-codes.ts'
import { UpstreamError } from '../../src/errors.ts'
import { isCacheable, SectionFailed } from '../../src/sections/section-errors.ts'

describe('a required section that fails', () => {
  for (const [failure, status, code] of [
    ['timeout', 504, 'downstream_timeout'],
    ['unavailable', 503, 'downstream_unavailable'],
    ['error', 502, 'downstream_error'],
    ['rejected', 502, 'downstream_error'],
    ['unauthorized', 502, 'downstream_error'],
    ['misconfigured', 502, 'downstream_error'],
    ['invalid', 502, 'downstream_error'],
    ['rate_limited', 503, 'downstream_unavailable'],
    ['circuit_open', 503, 'circuit_open'],
    ['overloaded', 503, 'overloaded'],
    ['aborted', 503, 'downstream_unavailable'],
  ] as const) {
    it(`answers ${status} ${code} for ${failure}, with Retry-After`, () => {
      const problem = new SectionFailed(
        'product',
        new UpstreamError(failure, 'erp.internal', { retryAfterMs: 2_100 }),
      ).problem()
      expect([problem.status, problem.code, problem.headers]).to.deep.equal([status, code, { 'Retry-After': '3' }])
      expect(problem.detail).not.to.contain('erp')
    })
  }
})

describe('an answer', () => {
  it('is cacheable unless a section failed that may recover', () => {
    const entry = (code: SectionErrorCode) => ({ field: 'x', code, detail: '' })
    expect([
      isCacheable([]),
      isCacheable([entry('not_configured')]),
      isCacheable([entry('not_configured'), entry('overloaded')]),
    ]).to.deep.equal([true, true, false])
  })
})
