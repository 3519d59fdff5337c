import { expect } from 'chai'
import { redactWebhookResponse } from '../../../src/console/text/redact-webhook-response.ts'

describe('the excerpt of an endpoint’s response', () => {
  it('shows a response without its markup, numbers, mailboxes, keys and long words', () => {
    const key = `svc_live_sec_${'q7Zk'.repeat(12)}`
    const text = `<h1>Bad  signature</h1><script>x()</script> for jane@example.com, key ${key}, token ${'eyJh'.repeat(5)}, 42 left`
    expect(redactWebhookResponse(text)).to.equal('Bad signature x() for […] key […], token […], # left')
    expect(redactWebhookResponse('{"token":"swordfish","code":"x7"}')).to.equal('{"token":"[…]","code":"[…]"}')
    expect(redactWebhookResponse('a '.repeat(500)).length).to.be.at.most(200)
  })

  it('holds no planted secret, whatever surrounds it', () => {
    const planted = ['Tr0ub4dor-and-3-horses', 'sk_live_51HxABCDEFGHijkl', 'ops@acme.example', '4111111111111111']
    const joints = [' ', '"', '=', ':', '<', '>', ',', '\n', '(', '/']
    for (const secret of planted)
      for (const before of joints)
        for (const after of joints)
          expect(
            redactWebhookResponse(`error${before}${secret}${after}end`),
            JSON.stringify([before, after]),
          ).to.not.include(secret.slice(0, 12))
  })
})
