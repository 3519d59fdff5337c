import { expect } from 'chai'
import { type Api, startApi } from '../../support/api.ts'
import { stores } from '../../support/stores.ts'
import { newEndpoint, type WebhookMerchant, webhookMerchant } from './webhook-merchant.ts'

const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/
const absent = '/v1/webhooks/whk_0000000000000000000000'

for (const store of stores()) {
  describe(`webhooks on ${store.name}`, () => {
    let api: Api
    let acme: WebhookMerchant
    let clock = Date.now()

    before(async () => {
      const url = await store.createMigrated()
      api = await startApi({ store: url, now: () => clock })
      acme = await webhookMerchant(api)
    })
    beforeEach(() => {
      clock = Date.now()
    })
    afterEach(async () => {
      for (const { subscription_id } of (await acme.ask('GET', '/v1/webhooks')).body)
        await acme.ask('DELETE', `/v1/webhooks/${subscription_id}`)
    })
    after(async () => {
      await api[Symbol.asyncDispose]()
      await store.close()
    })

    const instant = () => new Date(clock).toISOString()
    const refused = async (body: object) => {
      const reply = await acme.ask('POST', '/v1/webhooks', { endpoint_url: newEndpoint(), event_types: ['*'], ...body })
      expect(reply.status, reply.text).to.equal(422)
      return reply.body.detail
    }

    describe('POST /v1/webhooks', () => {
      it('subscribes an endpoint, and returns the secret once', async () => {
        const endpoint_url = newEndpoint()
        const types = ['order.*', 'stock.changed', 'order.*']
        const input = { endpoint_url, event_types: types, description: 'The shop', tenant_id: 'zenith' }
        const { status, body, headers } = await acme.ask('POST', '/v1/webhooks', input)
        const { signing_secret, ...shown } = body
        expect(status).to.equal(201)
        expect(signing_secret).to.match(SECRET)
        expect(shown).to.deep.equal({
          subscription_id: shown.subscription_id,
          endpoint_url,
          event_types: ['order.*', 'stock.changed'],
          description: 'The shop',
          status: 'ACTIVE',
          disabled_reason: null,
          disabled_at: null,
          secret_hint: signing_secret.slice(-4),
          previous_secret_expires_at: null,
          consecutive_failures: 0,
          last_delivery_at: null,
          last_success_at: null,
          created_at: instant(),
          updated_at: instant(),
        })
        expect(headers).to.include({
          location: `/v1/webhooks/${shown.subscription_id}`,
          'cache-control': 'private, no-store',
        })
        const read = await acme.ask('GET', headers.location!)
        expect(read.body).to.deep.equal(shown)
        expect(read.headers['cache-control']).to.equal('private, no-store')
      })

      it('stores the normalised URL, and rejects it a second time', async () => {
        const path = newEndpoint().slice('http://127.0.0.1'.length)
        const { body: first } = await acme.subscribe({ endpoint_url: `HTTP://LOCALHOST${path}/a/../b?c=é` })
        expect(first.endpoint_url).to.equal(`http://localhost${path}/b?c=%C3%A9`)
        const same = { endpoint_url: `http://localhost${path}/b?c=%C3%A9`, event_types: ['*'] }
        const { status, body } = await acme.ask('POST', '/v1/webhooks', same)
        expect([status, body.code, body.subscription_id]).to.deep.equal([
          409,
          'subscription_exists',
          first.subscription_id,
        ])
      })

      it('accepts 20 subscriptions, however many are created at once', async () => {
        const input = () => ({ endpoint_url: newEndpoint(), event_types: ['*'] })
        const replies = await Promise.all(
          Array.from({ length: 26 }, () => acme.ask('POST', '/v1/webhooks', input(), { 'x-request-id': 'many' })),
        )
        const refusals = replies.filter(({ status }) => status !== 201)
        expect(refusals.map(({ status, body }) => [status, body.code])).to.deep.equal(
          Array.from({ length: 6 }, () => [409, 'subscription_limit']),
        )
        const listed: { created_at: string }[] = (await acme.ask('GET', '/v1/webhooks')).body
        expect(listed).to.have.length(20)
      })

      it('accepts one of many concurrent subscriptions for the same URL', async () => {
        const input = { endpoint_url: newEndpoint(), event_types: ['*'] }
        const replies = await Promise.all(Array.from({ length: 8 }, () => acme.ask('POST', '/v1/webhooks', input)))
        expect(replies.filter(({ status }) => status === 201)).to.have.length(1)
        expect(new Set(replies.map(({ body }) => body.subscription_id)).size).to.equal(1)
      })

      it('reports the position of an unknown event type', async () => {
        const detail = await refused({ event_types: ['order.confirmed', 'order.lost', '*', 'webhook.ping'] })
        expect(detail.map(({ type, loc, input }: never) => ({ type, loc, input }))).to.deep.equal([
          { type: 'event_type_unknown', loc: ['body', 'event_types', 1], input: 'order.lost' },
          { type: 'event_type_unknown', loc: ['body', 'event_types', 3], input: 'webhook.ping' },
        ])
        expect(detail[0].msg).to.include('order.confirmed').and.include('invoice.*')
      })

      it('refuses event types that are no texts', async () => {
        for (const value of [null, {}, 1])
          expect(await refused({ event_types: [value, '*'] })).to.deep.equal([
            {
              type: 'string_type',
              loc: ['body', 'event_types', 0],
              msg: 'Input should be a valid string',
              input: value,
            },
          ])
      })

      const invalidEndpoints = [
        ['http to a public host', 'http://shop.example/hooks'],
        ['another port', 'https://shop.example:8443/hooks'],
        ['an address', 'https://10.1.2.3/hooks'],
        ['credentials', 'https://user:secret@shop.example/hooks'],
        ['no URL', 'shop'],
        ['NUL', 'ht\0tp://127.0.0.1/'],
        ['a URL that is too long once it is normalised', `https://shop.example/${'💥'.repeat(1_000)}`],
      ] as const
      it('rejects a forbidden endpoint, together with the other errors', async () => {
        for (const [what, endpoint_url] of invalidEndpoints) {
          const detail = await refused({ endpoint_url, event_types: ['none'] })
          expect(
            detail.map(({ type, loc }: never) => ({ type, loc })),
            what,
          ).to.deep.equal([
            { type: 'url_not_allowed', loc: ['body', 'endpoint_url'] },
            { type: 'event_type_unknown', loc: ['body', 'event_types', 0] },
          ])
        }
      })

      it('rejects invalid input, and text that the store cannot hold', async () => {
        const places = async (body: object) => (await refused(body)).map(({ loc }: { loc: string[] }) => loc[1])
        expect(await places({ endpoint_url: undefined, event_types: undefined })).to.deep.equal([
          'endpoint_url',
          'event_types',
        ])
        expect(await places({ event_types: [] })).to.deep.equal(['event_types'])
        expect(await places({ description: 'a\0b' })).to.deep.equal(['description'])
        expect(await places({ description: 'x'.repeat(257) })).to.deep.equal(['description'])
      })
    })

    it('are listed oldest first', async () => {
      const ids: string[] = []
      for (let i = 0; i < 3; i++) {
        clock += 1
        ids.unshift((await acme.subscribe()).body.subscription_id)
      }
      const { body, text } = await acme.ask('GET', '/v1/webhooks')
      expect(body.map(({ subscription_id }: { subscription_id: string }) => subscription_id)).to.deep.equal(
        ids.reverse(),
      )
      expect(text).to.not.include('whsec_').and.not.include('signing_secret')
    })

    it('belong to one merchant and mode', async () => {
      const { endpoint_url, subscription_id } = (await acme.subscribe()).body
      const path = `/v1/webhooks/${subscription_id}`
      for (const caller of [{ merchant: 'zenith' }, { mode: 'live' }] as const) {
        const other = await webhookMerchant(api, caller)
        expect((await other.ask('GET', '/v1/webhooks')).body).to.deep.equal([])
        for (const [method, call, body] of [
          ['GET', '', undefined],
          ['PATCH', '', { status: 'DISABLED' }],
          ['PATCH', '', { endpoint_url }],
          ['DELETE', '', undefined],
          ['POST', '/disable', undefined],
          ['POST', '/enable', undefined],
          ['POST', '/rotate-secret', {}],
          ['POST', '/ping', undefined],
          ['GET', '/deliveries', undefined],
          ['GET', '/deliveries/00000000-0000-0000-0000-000000000000', undefined],
          ['POST', '/deliveries/00000000-0000-0000-0000-000000000000/redeliver', undefined],
          ['POST', '/recover', { since: instant() }],
        ] as const) {
          const [foreign, none] = [
            await other.ask(method, path + call, body),
            await other.ask(method, absent + call, body),
          ]
          expect([foreign.status, foreign.body.code], `${method} ${call}`).to.deep.equal([404, 'not_found'])
          expect({ ...foreign.body, request_id: '' }).to.deep.equal({ ...none.body, request_id: '' })
        }
        await other.subscribe({ endpoint_url })
        const [own] = (await other.ask('GET', '/v1/webhooks')).body
        expect(own.endpoint_url).to.equal(endpoint_url)
        await other.ask('DELETE', `/v1/webhooks/${own.subscription_id}`)
      }
      expect((await acme.ask('GET', path)).body.status).to.equal('ACTIVE')
    })

    it('are 404 for a malformed id', async () => {
      for (const id of ['%00', 'whk_', 'x'.repeat(3_000), '%F0%9F%92%A5', `whk_${'0'.repeat(21)}%00`]) {
        for (const [method, call] of [
          ['GET', ''],
          ['DELETE', ''],
          ['POST', '/enable'],
          ['GET', `/deliveries/${id}`],
          ['POST', '/ping'],
        ] as const) {
          const { status } = await acme.ask(method, `/v1/webhooks/${id}${call}`)
          expect(status, `${method} ${call} ${id.slice(0, 30)}`).to.equal(404)
        }
      }
    })

    describe('PATCH /v1/webhooks/{subscription_id}', () => {
      it('changes the given members', async () => {
        const { signing_secret, ...shown } = (await acme.subscribe({ description: 'old' })).body
        const path = `/v1/webhooks/${shown.subscription_id}`
        clock += 5
        const endpoint_url = newEndpoint()
        const change = { endpoint_url, event_types: ['invoice.paid', 'invoice.paid'], description: '' }
        const changed = (await acme.ask('PATCH', path, change)).body
        expect(changed).to.deep.equal({
          ...shown,
          endpoint_url,
          event_types: ['invoice.paid'],
          description: null,
          updated_at: instant(),
        })
        clock += 5
        expect((await acme.ask('PATCH', path, { endpoint_url })).body).to.deep.equal(changed)
      })

      it('rejects an empty change, a URL that is in use, and invalid values', async () => {
        const [first, second] = [(await acme.subscribe()).body, (await acme.subscribe()).body]
        const patch = (body: object) => acme.ask('PATCH', `/v1/webhooks/${second.subscription_id}`, body)
        expect((await patch({})).status).to.equal(422)
        expect((await patch({ secret: 'mine' })).status).to.equal(422)
        const { status, body } = await patch({ endpoint_url: first.endpoint_url })
        expect([status, body.code, body.subscription_id]).to.deep.equal([
          409,
          'subscription_exists',
          first.subscription_id,
        ])
        expect((await patch({ event_types: ['none'] })).body.detail[0].loc).to.deep.equal(['body', 'event_types', 0])
        expect((await patch({ endpoint_url: 'http://shop.example' })).body.detail[0].type).to.equal('url_not_allowed')
        expect((await patch({ status: 'FAILING' })).status).to.equal(422)
      })

      it('resets the failure count with another endpoint', async () => {
        const { subscription_id } = (await acme.subscribe()).body
        await api.db
          .updateTable('subscriptions')
          .set({ status: 'FAILING', consecutive_failures: 9, exhausted: 3, failing_since: instant() })
          .where('subscription_id', '=', subscription_id)
          .execute()
        const patch = { endpoint_url: newEndpoint() }
        const { body } = await acme.ask('PATCH', `/v1/webhooks/${subscription_id}`, patch)
        expect(body).to.include({ status: 'ACTIVE', consecutive_failures: 0 })
      })
    })

    it('are disabled and enabled, also repeatedly', async () => {
      const { subscription_id, signing_secret, ...shown } = (await acme.subscribe()).body
      const path = `/v1/webhooks/${subscription_id}`
      await acme.event('order.shipped', 'SO-1', clock)
      clock += 5
      const disabled = (await acme.ask('POST', `${path}/disable`)).body
      const off = { status: 'DISABLED', disabled_reason: 'MANUAL', disabled_at: instant(), updated_at: instant() }
      expect(disabled).to.deep.equal({ ...shown, subscription_id, ...off })
      clock += 5
      expect((await acme.ask('POST', `${path}/disable`)).body).to.deep.equal(disabled)
      expect((await acme.ask('PATCH', path, { status: 'DISABLED' })).body).to.deep.equal(disabled)
      const [delivery] = (await acme.ask('GET', `${path}/deliveries`)).body.data
      expect(delivery).to.include({ status: 'CANCELLED', next_attempt_at: null })
      const gone = { disabled_reason: 'GONE', consecutive_failures: 7, exhausted: 3, failing_since: instant() } as const
      const row = api.db.updateTable('subscriptions').where('subscription_id', '=', subscription_id)
      await row.set(gone).execute()
      const enabled = (await acme.ask('POST', `${path}/enable`)).body
      expect(enabled).to.deep.equal({ ...shown, subscription_id, updated_at: instant() })
      clock += 5
      expect((await acme.ask('POST', `${path}/enable`)).body).to.deep.equal(enabled)
      const stored = api.db.selectFrom('subscriptions').where('subscription_id', '=', subscription_id)
      expect(await stored.select(['exhausted', 'failing_since']).executeTakeFirst()).to.deep.equal({
        exhausted: 0,
        failing_since: null,
      })
      expect((await acme.ask('PATCH', path, { status: 'DISABLED' })).body.disabled_reason).to.equal('MANUAL')
      expect((await acme.ask('PATCH', path, { status: 'ACTIVE' })).body.status).to.equal('ACTIVE')
    })

    it('are deleted with their deliveries', async () => {
      const [{ subscription_id }, other] = [(await acme.subscribe()).body, (await acme.subscribe()).body]
      for (let i = 0; i < 3; i++) await acme.event('order.shipped', `SO-${i}`, clock)
      const { status, headers } = await acme.ask('DELETE', `/v1/webhooks/${subscription_id}`)
      expect([status, headers['cache-control']]).to.deep.equal([204, 'private, no-store'])
      expect((await acme.ask('DELETE', `/v1/webhooks/${subscription_id}`)).status).to.equal(404)
      const left = await api.db.selectFrom('deliveries').select('subscription_id').execute()
      expect(left.map((row) => row.subscription_id)).to.deep.equal(Array(3).fill(other.subscription_id))
    })

    it('return the first response to each POST that is retried with its Idempotency-Key', async () => {
      const path = (await acme.subscribe()).headers.location!
      await acme.event('order.shipped', 'SO-1', clock)
      const [{ delivery_id }] = (await acme.ask('GET', `${path}/deliveries`)).body.data
      for (const [call, status, body] of [
        ['/ping', 200, undefined],
        ['/rotate-secret', 200, { grace_period_seconds: 5 }],
        [`/deliveries/${delivery_id}/redeliver`, 202, undefined],
        ['/recover', 202, { since: instant() }],
        ['/disable', 200, undefined],
        ['/enable', 200, undefined],
      ] as const) {
        const ask = () => acme.ask('POST', path + call, body, { 'idempotency-key': 'same' })
        const [first, again] = [await ask(), await ask()]
        expect([first.status, again.status, again.text], call).to.deep.equal([status, status, first.text])
        expect(again.headers['idempotent-replayed'], call).to.equal('true')
        expect(again.headers['cache-control'], call).to.equal('private, no-store')
      }
    })

    it('require a secret key with the scope', async () => {
      const asked = async (request: object) => {
        const { status, body } = await api.request('/v1/webhooks', { key: await api.key(request) })
        return [status, body.code]
      }
      expect(await asked({})).to.deep.equal([403, 'publishable_key_not_allowed'])
      expect(await asked({ kind: 'secret', scopes: ['storefront:orders'] })).to.deep.equal([403, 'insufficient_scope'])
      expect((await api.request('/v1/events', { key: await api.key() })).status).to.equal(403)
      expect((await api.request('/v1/webhooks')).status).to.equal(401)
    })
  })
}
