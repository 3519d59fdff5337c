import { expect } from 'chai'
import { describeAttempt, redactResponse } from '../../../src/console/text/webhook-attempt-text.ts'
import type { DeliveryAttempt } from '../../../src/contract/webhook-delivery.ts'

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

  it('shows a response without its markup, numbers, mailboxes, keys and long words', () => {
    const key = `svc_live_sec_${'q7Zk'.repeat(12)}`
    const text = `<h1>Bad  signature</h1><script>x()</script> for jane@example.com, key ${key}, token ${'eyJh'.repeat(5)}, 42 left`
    expect(redactResponse(text)).to.equal('Bad signature x() for […] key […], token […], # left')
    expect(redactResponse('{"token":"swordfish","code":"x7"}')).to.equal('{"token":"[…]","code":"[…]"}')
    expect(redactResponse('a '.repeat(500)).length).to.be.at.most(200)
  })

  it('holds no planted secret, whatever surrounds it', () => {
    const planted = ['Tr0ub4dor-and-3-horses', 'sk_live_51HxABCDEFGHijkl', 'ops@acme.example', '4111111111111111']
    const joints = [' ', '"', '=', ':', '<', '>', ',', '\n', '(', '/']
    for (const secret of planted)
      for (const before of joints)
        for (const after of joints)
          expect(redactResponse(`error${before}${secret}${after}end`), JSON.stringify([before, after])).to.not.include(
            secret.slice(0, 12),
          )
  })
})
