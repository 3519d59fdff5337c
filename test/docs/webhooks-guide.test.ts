import { expect } from 'chai'
import { attemptErrors } from '../../src/contract/events/webhook-delivery.ts'
import { RETRY_DELAYS_MS } from '../../src/webhooks/retry-schedule.ts'
import { createSignatureHeaders } from '../../src/webhooks/signature-headers.ts'
import { readDoc } from './read-doc.ts'

const page = readDoc('webhooks.md')
const printed = (name: string) => new RegExp(`^${name} +(.+)$`, 'm').exec(page)![1]!

describe('the webhook guide', () => {
  it('contains a valid test vector', () => {
    const body = Buffer.from(printed('body'))
    const secret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='
    expect(printed('secret')).to.equal(secret)
    const timestamp = Number(printed('webhook-timestamp'))
    expect(
      createSignatureHeaders({ eventId: printed('webhook-id'), body, secrets: [secret] }, timestamp),
    ).to.deep.equal({
      'X-Service-Signature': printed('X-Service-Signature'),
      'webhook-id': 'evt_0000000000000000000001',
      'webhook-timestamp': '1767225600',
      'webhook-signature': printed('webhook-signature'),
    })
    expect(printed('X-Service-Signature')).to.equal(
      'sha256=897c74e9992945febcc2d69b23a21039da8ee18e23bbd448a754997128b6c97c',
    )
    expect(printed('webhook-signature')).to.equal('v1,sZzmKRnTvPE9JLpPE6RIEAHlSkdMkkBPwx8iTgbrFNA=')
  })

  it('shows the envelope that the test vector signs', () => {
    const shown = /## What arrives\n\n```json\n([\s\S]+?)```/.exec(page)![1]!
    expect(JSON.stringify(JSON.parse(shown))).to.equal(printed('body'))
  })

  it('describes the actual retry schedule', () => {
    const said = /at once, then after waits of ([^;]+?), each of which/.exec(page)![1]!.split(/, | and /)
    const unit = { s: 1_000, min: 60_000, h: 3_600_000 }
    const told = said.map((delay) => Number.parseInt(delay, 10) * unit[delay.split(' ')[1] as keyof typeof unit])
    expect([0, ...told]).to.deep.equal(RETRY_DELAYS_MS)
  })

  it('explains each error of a webhook attempt', () => {
    const rows = [...page.matchAll(/^\| `([a-z_]+)` \| (?=[a-zA-Z])/gm)].map(([, code]) => code)
    expect(rows).to.deep.equal(Object.keys(attemptErrors))
  })
})
