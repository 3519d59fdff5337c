import { createHmac } from 'node:crypto'
import { expect } from 'chai'
import { Webhook } from 'standardwebhooks'
import { type Api, startApi } from '../../support/api.ts'
import { stores } from '../../support/stores.ts'
import { repeatRequest } from './repeat-request.ts'
import { type Endpoint, startEndpoint } from './webhook-endpoint.ts'
import { type WebhookMerchant, webhookMerchant } from './webhook-merchant.ts'

for (const store of stores()) {
  describe(`POST /v1/webhooks/{subscription_id}/ping on ${store.name}`, () => {
    let api: Api
    let acme: WebhookMerchant
    let endpoint: Endpoint
    let clock = Date.now()

    beforeEach(async () => {
      clock = Date.now()
      const url = await store.createMigrated()
      endpoint = await startEndpoint()
      api = await startApi({ store: url, now: () => clock })
      acme = await webhookMerchant(api)
    })
    afterEach(async () => {
      await api[Symbol.asyncDispose]()
      await endpoint[Symbol.asyncDispose]()
      await store.close()
    })

    const subscribe = async () => {
      const { body } = await acme.subscribe({ endpoint_url: endpoint.url })
      return { path: `/v1/webhooks/${body.subscription_id}`, secret: body.signing_secret as string }
    }

    it('sends a signed event, and returns the result', async () => {
      const { path, secret } = await subscribe()
      const { status, body: result } = await acme.ask('POST', `${path}/ping`)
      const { headers, body } = endpoint.received[0]!
      expect(status).to.equal(200)
      expect(result).to.deep.equal({
        delivery_id: headers['x-service-delivery'],
        event_id: headers['webhook-id'],
        event: 'webhook.ping',
        delivered: true,
        response_status: 204,
        duration_ms: result.duration_ms,
        error: null,
      })
      const subscription_id = path.split('/').at(-1)
      expect(JSON.parse(body.toString())).to.deep.equal({
        id: result.event_id,
        type: 'webhook.ping',
        created_at: new Date(clock).toISOString(),
        api_version: '1',
        mode: 'sandbox',
        tenant_id: 'acme',
        resource: { type: 'webhook', id: subscription_id },
        sequence: 0,
        data: { subscription_id },
      })
      expect(headers).to.include({
        'x-service-event': 'webhook.ping',
        'x-service-attempt': '1',
        'x-service-mode': 'sandbox',
        'x-service-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
      })
      new Webhook(secret).verify(body.toString(), headers as Record<string, string>)
    })

    it('works while disabled, and is not counted', async () => {
      const { path } = await subscribe()
      endpoint.respondWith(500)
      const before = (await acme.ask('POST', `${path}/disable`)).body
      const failed = (await acme.ask('POST', `${path}/ping`)).body
      expect(failed).to.include({ delivered: false, response_status: 500, error: null })
      endpoint.respondWith(302)
      expect((await acme.ask('POST', `${path}/ping`)).body).to.include({ delivered: false, response_status: 302 })
      expect((await acme.ask('GET', path)).body).to.deep.equal(before)
      expect((await acme.ask('GET', `${path}/deliveries`)).body.data).to.deep.equal([])
      expect((await acme.ask('GET', '/v1/events')).body.data).to.deep.equal([])
      expect(endpoint.received).to.have.length(2)
    })

    it('does not let a merchant flood an endpoint', async () => {
      const { path } = await subscribe()
      const pings = await repeatRequest(61, () => acme.ask('POST', `${path}/ping`))
      const refused = pings.filter(({ status }) => status !== 200)
      expect(refused.map(({ status, body }) => [status, body.code])).to.deep.equal([[429, 'rate_limited']])
      expect(Number(refused[0]!.headers['retry-after'])).to.be.within(1, 60)
      expect(endpoint.received).to.have.length(60)
    })

    it('returns the reason when there is no response', async () => {
      const { path } = await subscribe()
      await endpoint[Symbol.asyncDispose]()
      expect((await acme.ask('POST', `${path}/ping`)).body).to.include({
        delivered: false,
        response_status: null,
        error: 'refused',
      })
      const { status } = await acme.ask('PATCH', path, { endpoint_url: 'https://nowhere.invalid/' })
      expect(status).to.equal(200)
      expect((await acme.ask('POST', `${path}/ping`)).body).to.include({ delivered: false, error: 'dns' })
      await api.db.updateTable('subscriptions').set({ secret: 'v1.000000000000.AAAA' }).execute()
      const unreadable = { delivered: false, error: 'secret_unreadable', duration_ms: 0 }
      expect((await acme.ask('POST', `${path}/ping`)).body).to.include(unreadable)
    })
  })
}
