import { expect } from 'chai'
import { InvalidInput, Problem } from '../src/errors.ts'

describe('errors that refuse a request', () => {
  for (const [name, create] of [
    ['Problem', () => new Problem('not_found')],
    ['InvalidInput', () => new InvalidInput([])],
  ] as const)
    it(`record no stack trace: ${name}`, () => {
      const { stackTraceLimit } = Error
      expect(create().stack).to.not.include('\n')
      expect(create()).to.be.instanceOf(Error).and.include({ name })
      expect(Error.stackTraceLimit).to.equal(stackTraceLimit)
    })
})
