import { expect } from 'chai'
import { describeAttempt } from '../../../src/console/text/webhook-attempt-text.ts'
import type { DeliveryAttempt } from '../../../src/contract/events/webhook-delivery.ts'

const attempt = (response_status: number | null, error: string | null = null) =>
  ({ number: 1, at: '', duration_ms: 1, response_status, error, response_excerpt: null }) as DeliveryAttempt

describe('the text of an attempt', () => {
  it('says in words what was wrong', () => {
    expect(describeAttempt(attempt(200))).to.equal('')
    expect(describeAttempt(attempt(null, 'timeout'))).to.equal(
      'No response in time. Does the endpoint do its work before it responds? Check its load and its log',
    )
    for (const [status, said] of [
      [302, 'redirects'],
      [401, 'signature'],
      [404, 'nothing at this URL'],
      [500, 'Its own log'],
      [503, 'A proxy'],
      [418, 'did not accept'],
    ] as const)
      expect(describeAttempt(attempt(status))).to.include(said)
  })
})
