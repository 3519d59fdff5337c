import { expect } from 'chai'
import { throttleAllowances } from '../../../src/commands/action-throttle.ts'
import { describeReachedLimit } from '../../../src/console/text/rate-limit-text.ts'

describe('the advice about a limit', () => {
  it('does not say that nothing is to be done, and then what is to be done', () => {
    for (const name of Object.keys(throttleAllowances))
      expect(describeReachedLimit(name)?.advice, name).to.not.match(/need not do anything.*(should|tell)/i)
    expect(describeReachedLimit('logins')!.advice).to.match(
      /^This limit does not affect the key or any other account, and ends by itself\. Until then, the right password is refused too/,
    )
    expect(describeReachedLimit('registrations')!.advice).to.equal(
      'This limit does not affect the key or any other account, and ends by itself. You need not do anything.',
    )
  })
})
