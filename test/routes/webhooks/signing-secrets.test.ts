import { createHmac } from 'node:crypto'
import { expect } from 'chai'
import { sql } from 'kysely'
import { type Api, startApi } from '../../support/api.ts'
import { stores } from '../../support/stores.ts'
import { type Endpoint, startEndpoint } from './webhook-endpoint.ts'
import { newEndpoint, type WebhookMerchant, webhookMerchant } from './webhook-merchant.ts'

const DAY_MS = 86_400_000

for (const store of stores()) {
  describe(`signing secrets on ${store.name}`, () => {
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
    const rotate = async (path: string, body?: object) => {
      const reply = await acme.ask('POST', `${path}/rotate-secret`, body)
      expect(reply.status, reply.text).to.equal(200)
      return reply.body
    }
    /** Returns the signatures of a ping. */
    const signed = async (path: string) => {
      expect((await acme.ask('POST', `${path}/ping`)).body.delivered).to.equal(true)
      const { headers, body } = endpoint.received.at(-1)!
      const by = (secret: string) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
      return { headers, by, current: headers['x-service-signature'], previous: headers['x-service-signature-previous'] }
    }
    const everyRow = async () => {
      const tables =
        store.name === 'SQLite'
          ? sql<{ name: string }>`select name from sqlite_schema where type = 'table'`
          : sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`
      const { rows } = await tables.execute(api.db)
      expect(rows.map(({ name }) => name)).to.include.members(['subscriptions', 'idempotency_keys'])
      const all = await Promise.all(rows.map(({ name }) => sql`select * from ${sql.table(name)}`.execute(api.db)))
      return JSON.stringify(all.map((table) => table.rows))
    }

    it('are neither in the store nor in the log, and are returned again byte for byte', async () => {
      const input = { endpoint_url: newEndpoint(), event_types: ['*'] }
      const create = (key: string) => acme.ask('POST', '/v1/webhooks', input, { 'idempotency-key': key })
      const [first, again] = [await create('once'), await create('once')]
      expect([first.status, again.status, again.text]).to.deep.equal([201, 201, first.text])
      expect(again.headers).to.include({ 'idempotent-replayed': 'true', location: first.headers.location })
      const path = first.headers.location!
      const turn = () => acme.ask('POST', `${path}/rotate-secret`, undefined, { 'idempotency-key': 'turn' })
      const [turned, turnedAgain] = [await turn(), await turn()]
      expect(turnedAgain.text).to.equal(turned.text)
      expect(turned.body.signing_secret)
        .to.match(/^whsec_/)
        .and.not.equal(first.body.signing_secret)
      const second = await create('twice')
      expect([second.status, second.body.code]).to.deep.equal([409, 'subscription_exists'])
      await acme.ask('POST', `${path}/ping`)
      const rows = await everyRow()
      expect(rows).to.include(first.body.subscription_id).and.include('"state":"done"')
      for (const { signing_secret } of [first.body, turned.body]) {
        const bare = signing_secret.slice('whsec_'.length)
        expect(rows).to.not.include('whsec_').and.not.include(bare)
        expect(rows).to.not.include(Buffer.from(signing_secret).toString('base64url').slice(0, 40))
      }
      expect(await api.stopAndReadLog()).to.not.include('whsec_')
    })

    it('are returned again after the process that created them died', async () => {
      const input = { endpoint_url: newEndpoint(), event_types: ['*'] }
      const create = () => acme.ask('POST', '/v1/webhooks', input, { 'idempotency-key': 'died' })
      const die = async (subscription_id: string) => {
        const died = { status: null, body: null, locked_until: new Date(clock).toISOString() }
        const applied = { state: 'applied' as const, applied: JSON.stringify({ subscription_id }) }
        await api.db
          .updateTable('idempotency_keys')
          .set({ ...died, ...applied })
          .execute()
      }
      const first = await create()
      await die(first.body.subscription_id)
      const again = await create()
      expect([again.status, again.text]).to.deep.equal([201, first.text])
      expect((await acme.ask('GET', '/v1/webhooks')).body).to.have.length(1)
    })

    it('sign together with the previous secret for a day, or for the given grace period', async () => {
      const { path, secret } = await subscribe()
      const rotated = await rotate(path)
      const ends = new Date(clock + DAY_MS).toISOString()
      expect(rotated).to.include({ previous_secret_expires_at: ends, secret_hint: rotated.signing_secret.slice(-4) })
      const both = await signed(path)
      expect([both.current, both.previous]).to.deep.equal([both.by(rotated.signing_secret), both.by(secret)])
      clock += DAY_MS
      const { body } = await acme.ask('GET', path)
      expect(body).to.include({ previous_secret_expires_at: null }).and.not.have.property('signing_secret')
      const alone = await signed(path)
      expect([alone.current, alone.previous]).to.deep.equal([alone.by(rotated.signing_secret), undefined])
      const { previous_secret_expires_at } = await rotate(path, { grace_period_seconds: 60 })
      expect(previous_secret_expires_at).to.equal(new Date(clock + 60_000).toISOString())
    })

    it('replace the oldest of three, and the previous one without a grace period', async () => {
      const { path } = await subscribe()
      const second = (await rotate(path, {})).signing_secret
      const third = (await rotate(path, { grace_period_seconds: 10 })).signing_secret
      const two = await signed(path)
      expect([two.current, two.previous]).to.deep.equal([two.by(third), two.by(second)])
      const last = await rotate(path, { grace_period_seconds: 0 })
      expect(last.previous_secret_expires_at).to.equal(null)
      const one = await signed(path)
      expect([one.current, one.previous]).to.deep.equal([one.by(last.signing_secret), undefined])
      for (const grace_period_seconds of [-1, 604_801, 1.5, 'long', '60', true])
        expect((await acme.ask('POST', `${path}/rotate-secret`, { grace_period_seconds })).status).to.equal(422)
      // pydantic's lax int would read 0 and end the previous secret at once.
      const { body } = await acme.ask('POST', `${path}/rotate-secret`, { grace_period_seconds: false })
      expect(body.detail).to.deep.equal([
        {
          type: 'int_type',
          loc: ['body', 'grace_period_seconds'],
          msg: 'Input should be a valid integer',
          input: false,
        },
      ])
    })
  })
}
