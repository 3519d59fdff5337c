import { expect } from 'chai'
import { redactPath } from '../../src/security/redact-path.ts'

describe('the path of a request in records and spans', () => {
  const secret = 'whsec_MfKQ9r8GKY/qrTwjUPD8ILP+Zo2LaLaSwMfKQ9r8GKY='

  it('has no key, token, address of a person or signing secret', () => {
    const segments = ['svc_live_sec_a1B2', 'a1'.repeat(20), 'mia@example.com', secret, encodeURIComponent(secret)]
    expect(segments.map((one) => redactPath(`/v1/webhooks/${one}?q=x`))).to.deep.equal([
      '/v1/webhooks/svc_live_sec_[redacted]',
      ...new Array(4).fill('/v1/webhooks/[redacted]'),
    ])
  })

  it('keeps the ids of resources', () => {
    const path = '/v1/webhooks/whs_0123456789abcdefABCDEF/deliveries/dlv_0123456789abcdefABCDEF'
    expect(redactPath(path)).to.equal(path)
  })
})
