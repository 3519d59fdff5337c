import { expect } from 'chai'
import { describeErrorCode } from '../../../src/console/text/error-code-text.ts'
import { UpstreamError, type UpstreamFailure } from '../../../src/errors.ts'
import { problemTypes } from '../../../src/problem-types.ts'
import { sectionError } from '../../../src/sections/section-errors.ts'

describe('the texts of error codes', () => {
  const failures: readonly UpstreamFailure[] = [
    'timeout',
    'unavailable',
    'error',
    'invalid',
    'rejected',
    'rate_limited',
    'circuit_open',
    'overloaded',
    'not_configured',
    'aborted',
  ]

  it('give a name, a meaning and advice for every code of errors[]', () => {
    const codes = failures.map((failure) => {
      const section = { stale: false, partial: false, asOf: 0 }
      return sectionError('price', section, new UpstreamError(failure, '')).code
    })
    for (const code of [...codes, 'partial_result']) {
      const { name, meaning, advice } = describeErrorCode(code)
      expect([name, meaning, advice], code).to.not.include('')
      expect(name, code).to.not.match(/_|^downstream/i)
    }
  })

  it('give a meaning for every problem', () => {
    for (const code of Object.keys(problemTypes)) expect(describeErrorCode(code).meaning, code).to.not.equal('')
  })

  it('derive a name for an unknown code', () => {
    expect(describeErrorCode('brand_new')).to.deep.equal({ name: 'Brand new', meaning: '', advice: '' })
  })
})
