import { expect } from 'chai'
import { Webhook } from 'standardwebhooks'
import { type Api, startApi } from '../support/api.ts'
import { type Mailbox, startMailbox } from '../support/mailbox.ts'
import { until } from '../support/until.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../webhooks/webhook-receiver.ts'

const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`

describe('notifications of an outage', function () {
  this.timeout(300_000)
  let api: Api
  let mailbox: Mailbox
  let receiver: WebhookReceiver

  before(async () => {
    mailbox = await startMailbox()
    receiver = await startWebhookReceiver((_request, response) => void response.writeHead(204).end())
    const all = { merchants: null, systems: null, afterMs: 0, quietHours: null }
    api = await startApi({
      mail: { url: mailbox.url, from: 'Forecourt <forecourt@acme.example>' },
      operations: { url: 'https://ops.acme.example' },
      notifications: [
        { ...all, id: 'mail', target: { kind: 'mail', to: 'ops@acme.example' } },
        { ...all, id: 'hook', target: { kind: 'webhook', url: `${receiver.url}/chat`, secret: SECRET } },
      ],
    })
  })
  after(async () => {
    await api[Symbol.asyncDispose]()
    await receiver[Symbol.asyncDispose]()
    await mailbox[Symbol.asyncDispose]()
  })

  it('arrive by mail and by signed webhook, and hold no secret', async () => {
    const key = await api.key({ mode: 'live' })
    await api.fault('pricing', { status: 500 })
    await api.request('/v1/products/BP-1001', { key })
    const { to, subject, text } = await mailbox.emailTo('ops@acme.example')
    expect([to, subject]).to.deep.equal(['ops@acme.example', 'Outage: pricing of Parts [acme]'])
    expect(text)
      .to.include('Parts [acme]: Prices')
      .and.match(/https:\/\/ops\.acme\.example\/incidents\/inc_\w{16}/)
    await until('the webhook arrived', () => receiver.received.length > 0)
    const { path, headers, body } = receiver.received[0]!
    const verified = new Webhook(SECRET).verify(body, headers as Record<string, string>) as Record<string, unknown>
    expect([path, verified.type]).to.deep.equal(['/chat', 'outage.began'])
    const { outage_id, began_at, incident_id, url, ...data } = verified.data as Record<string, string>
    expect(data).to.deep.equal({
      system: 'pricing',
      ended_at: null,
      merchants: [{ merchant: 'acme', sections: ['price'] }],
    })
    expect([outage_id, incident_id, url]).to.match(/^out_\w{16},inc_\w{16},https:\/\/ops/)
    expect(Date.parse(began_at!)).to.be.closeTo(Date.now(), 300_000)
    expect(`${text}${body}`).to.not.match(/svc_|whsec_|127\.0\.0\.1|sandbox/)
  })
})
