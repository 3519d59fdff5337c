import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import type { Delivery } from '../../../src/contract/events/webhook-delivery.ts'
import { type Api, startApi } from '../../support/api.ts'
import { stores } from '../../support/stores.ts'
import { eventDataOf } from './event-data.ts'
import { repeatRequest } from './repeat-request.ts'
import { type WebhookMerchant, webhookMerchant } from './webhook-merchant.ts'

const MINUTE_MS = 60_000

for (const store of stores()) {
  describe(`deliveries on ${store.name}`, () => {
    let api: Api
    let acme: WebhookMerchant
    let path: string
    let clock = Date.now()

    before(async () => {
      const url = await store.createMigrated()
      api = await startApi({ store: url, now: () => clock })
      acme = await webhookMerchant(api)
    })
    beforeEach(async () => {
      clock = Date.now() - 3_600_000
      for (const table of ['deliveries', 'subscriptions', 'events', 'resources'] as const)
        await api.db.deleteFrom(table).execute()
      path = (await acme.subscribe()).headers.location!
    })
    after(async () => {
      await api[Symbol.asyncDispose]()
      await store.close()
    })

    const instant = (ms = clock) => new Date(ms).toISOString()
    /** Advances the clock. */
    const later = (ms = MINUTE_MS) => {
      clock += ms
      return clock
    }
    const listed = async (query = ''): Promise<Delivery[]> => {
      const { status, body, text } = await acme.ask('GET', `${path}/deliveries${query}`)
      expect(status, text).to.equal(200)
      return body.data
    }
    const eventsOf = async (query: string) => (await listed(query)).map(({ event_id }) => event_id)
    const ended = (eventId: string, status: Delivery['status']) =>
      api.db.updateTable('deliveries').set({ status }).where('event_id', '=', eventId).execute()

    describe('GET …/deliveries', () => {
      it('lists deliveries newest first, by page', async () => {
        const ids: string[] = []
        for (let i = 0; i < 5; i++) ids.unshift(await acme.event('order.shipped', `SO-${i}`, clock + i))
        const first = (await acme.ask('GET', `${path}/deliveries?limit=2`)).body
        expect(first.pagination).to.deep.equal({
          limit: 2,
          offset: 0,
          count: 2,
          total: null,
          has_more: true,
          next_offset: 2,
        })
        expect(first.data[0]).to.deep.equal({
          delivery_id: first.data[0].delivery_id,
          subscription_id: path.split('/').at(-1),
          event_id: ids[0],
          event_type: 'order.shipped',
          status: 'PENDING',
          cause: 'EVENT',
          attempt_count: 0,
          next_attempt_at: '2999-01-01T00:00:00.000Z',
          response_status: null,
          created_at: instant(clock + 4),
          ended_at: null,
        })
        const pages = [await eventsOf('?limit=2'), await eventsOf('?limit=2&offset=2'), await eventsOf('?offset=4')]
        expect(pages.flat()).to.deep.equal(ids)
        const last = (await acme.ask('GET', `${path}/deliveries?limit=2&offset=4`)).body.pagination
        expect(last).to.include({ count: 1, has_more: false, next_offset: null })
      })

      it('filters by status, kind, event and time', async () => {
        const old = await acme.event('order.shipped', 'SO-1', clock - MINUTE_MS)
        const paid = await acme.event('invoice.paid', 'INV-1', clock)
        await ended(old, 'DELIVERED')
        expect(await eventsOf('?status=DELIVERED')).to.deep.equal([old])
        expect(await eventsOf('?status=PENDING')).to.deep.equal([paid])
        expect(await eventsOf('?event_type=invoice.paid')).to.deep.equal([paid])
        expect(await eventsOf(`?event_id=${old}`)).to.deep.equal([old])
        expect(await eventsOf(`?since=${instant()}`)).to.deep.equal([paid])
        expect(await eventsOf(`?since=${instant(clock + 1)}`)).to.deep.equal([])
        expect(await eventsOf(`?since=${instant()}&status=DELIVERED`)).to.deep.equal([])
      })

      it('rejects invalid input', async () => {
        for (const query of [
          ...['limit=0', 'limit=101', 'offset=-1', 'offset=10001', 'status=LOST', 'event_type=order.*'],
          ...['event_id=%00', 'event_id=1', 'since=yesterday', 'since=%00'],
        ]) {
          const { status, body } = await acme.ask('GET', `${path}/deliveries?${query}`)
          expect([status, body.detail[0].loc], query).to.deep.equal([422, ['query', query.split('=')[0]]])
        }
        const { status, body } = await acme.ask('GET', `${path}/deliveries?since=2026`)
        expect([status, body.detail[0].type]).to.deep.equal([422, 'datetime_from_number'])
      })
    })

    describe('GET …/deliveries/{delivery_id}', () => {
      it('returns the payload, and each attempt', async () => {
        const id = await acme.event('order.shipped', 'SO-1', clock)
        const attempt = { number: 1, at: instant(), duration_ms: 12, response_status: 503, error: null }
        const attempts = [{ ...attempt, response_excerpt: 'busy' }]
        const change = { log: JSON.stringify(attempts), attempts: 1, response_status: 503, lease: 'somebody' }
        await api.db.updateTable('deliveries').set(change).execute()
        const [inList] = await listed()
        expect(inList).to.include({ next_attempt_at: null, attempt_count: 1, response_status: 503 })
        const { body } = await acme.ask('GET', `${path}/deliveries/${inList!.delivery_id}`)
        const payload = {
          id,
          type: 'order.shipped',
          created_at: instant(),
          api_version: '1',
          mode: 'sandbox',
          tenant_id: 'acme',
          resource: { type: 'order', id: 'SO-1' },
          sequence: 1,
          data: eventDataOf('order.shipped', 'SO-1'),
        }
        expect(body).to.deep.equal({ ...inList, payload, attempts })
        await api.db.deleteFrom('events').execute()
        const bare = (await acme.ask('GET', `${path}/deliveries/${inList!.delivery_id}`)).body
        expect(bare).to.deep.equal({ ...inList, payload: null, attempts })
      })

      it('is 404 for deliveries of another subscription', async () => {
        await acme.event('order.shipped', 'SO-1', clock)
        const [{ delivery_id }] = (await listed()) as [Delivery]
        const other = (await acme.subscribe()).headers.location!
        expect((await acme.ask('GET', `${other}/deliveries/${delivery_id}`)).status).to.equal(404)
        expect((await acme.ask('POST', `${other}/deliveries/${delivery_id}/redeliver`)).status).to.equal(404)
        expect((await acme.ask('GET', `${path}/deliveries/nothing`)).status).to.equal(404)
      })
    })

    describe('POST …/deliveries/{delivery_id}/redeliver', () => {
      let first: Delivery

      beforeEach(async () => {
        await ended(await acme.event('stock.changed', 'BP-1001', clock), 'DELIVERED')
        first = (await listed())[0]!
        clock += MINUTE_MS
      })

      const redeliver = (key?: string) => {
        const headers = key === undefined ? {} : { 'idempotency-key': key }
        return acme.ask('POST', `${path}/deliveries/${first.delivery_id}/redeliver`, undefined, headers)
      }

      it('creates a new delivery of the same event, due now, once per Idempotency-Key', async () => {
        const { status, body, text } = await redeliver('again')
        expect([status, body.delivery_id === first.delivery_id]).to.deep.equal([202, false])
        const { event_id, event_type, subscription_id } = first
        expect(body).to.include({ event_id, event_type, subscription_id, cause: 'REDELIVERY', created_at: instant() })
        expect(body).to.include({ status: 'PENDING', attempt_count: 0, next_attempt_at: instant() })
        expect((await redeliver('again')).text).to.equal(text)
        expect(await listed()).to.have.length(2)
        expect((await redeliver()).status).to.equal(202)
        expect(await listed()).to.have.length(3)
      })

      it('is rejected while disabled, and when the event has expired', async () => {
        await acme.ask('POST', `${path}/disable`)
        const disabled = await redeliver()
        expect([disabled.status, disabled.body.code]).to.deep.equal([409, 'subscription_disabled'])
        await acme.ask('POST', `${path}/enable`)
        await api.db.deleteFrom('events').execute()
        expect((await redeliver()).status).to.equal(404)
        expect(await listed()).to.have.length(1)
      })
    })

    describe('POST …/recover', () => {
      const recover = async (body: object, at = path) => {
        const reply = await acme.ask('POST', `${at}/recover`, body)
        expect(reply.status, reply.text).to.equal(202)
        return reply.body
      }
      const recovered = async () =>
        (await listed('?limit=100')).filter(({ cause }) => cause === 'RECOVERY').map(({ event_id }) => event_id)

      it('schedules events that were not delivered and are not scheduled, once', async () => {
        await acme.ask('PATCH', path, { event_types: ['order.*'] })
        const start = clock
        const happen = (id: string) => acme.event('order.shipped', id, later())
        await happen('before')
        const from = later(1)
        const [exhausted, delivered, cancelled] = [await happen('SO-1'), await happen('SO-2'), await happen('SO-3')]
        await happen('SO-4')
        await acme.event('invoice.paid', 'INV-1', clock)
        const to = clock
        await happen('after')
        await ended(exhausted, 'EXHAUSTED')
        await ended(delivered, 'DELIVERED')
        await ended(cancelled, 'CANCELLED')
        const range = { since: instant(from), until: instant(to) }
        expect(await recover(range)).to.deep.equal({ scheduled: 2, brought_forward: 1, has_more: false })
        expect(new Set(await recovered())).to.deep.equal(new Set([exhausted, cancelled]))
        expect(await recover(range)).to.include({ scheduled: 0, has_more: false })
        expect(await recover({ since: instant(start) })).to.include({ scheduled: 0, has_more: false })
      })

      it('does not send an event before it is released', async () => {
        const id = await acme.event('product.updated', 'BP-1001', clock)
        await ended(id, 'EXHAUSTED')
        const held_until = '2998-01-01T00:00:00.000Z'
        await api.db.updateTable('events').set({ held_until }).where('event_id', '=', id).execute()
        expect(await recover({ since: instant() })).to.include({ scheduled: 1 })
        const delivery = api.db.selectFrom('deliveries').select('due_at').where('event_id', '=', id)
        expect(await delivery.where('cause', '=', 'RECOVERY').execute()).to.deep.equal([{ due_at: held_until }])
      })

      it('includes events from before the subscription', async () => {
        const ids = [await acme.event('order.shipped', 'SO-1', clock), await acme.event('order.shipped', 'SO-1', clock)]
        path = (await acme.subscribe({ event_types: ['order.shipped'] })).headers.location!
        expect(await listed()).to.deep.equal([])
        expect(await recover({ since: instant() })).to.include({ scheduled: 2, has_more: false })
        expect(new Set(await recovered())).to.deep.equal(new Set(ids))
      })

      it('schedules the newest of events that coalesce, in the range', async () => {
        const happen = (id: string) => acme.event('stock.changed', id, later())
        const since = instant()
        await happen('A')
        const newestOfA = await happen('A')
        const onlyOfB = await happen('B')
        const deactivated = await acme.event('product.deactivated', 'A', clock)
        const until = instant()
        await happen('B')
        path = (await acme.subscribe()).headers.location!
        expect((await recover({ since, until })).scheduled).to.equal(3)
        expect(new Set(await recovered())).to.deep.equal(new Set([newestOfA, onlyOfB, deactivated]))
      })

      it('schedules 1,000 events per call, oldest first', async () => {
        const rows = Array.from({ length: 1_003 }, (_, i) => ({
          event_id: `evt_${String(i).padStart(22, '0')}`,
          tenant_id: 'acme',
          mode: 'sandbox' as const,
          type: 'order.shipped',
          resource_type: 'order',
          resource_id: `SO-${i}`,
          sequence: 1,
          data: '{}',
          created_at: instant(clock + i),
        }))
        for (let i = 0; i < rows.length; i += 500)
          await api.db
            .insertInto('events')
            .values(rows.slice(i, i + 500))
            .execute()
        clock += rows.length
        const range = { since: instant(0) }
        expect(await recover(range)).to.include({ scheduled: 1_000, has_more: true })
        expect(await eventsOf(`?event_id=${rows[999]!.event_id}`)).to.have.length(1)
        expect(await eventsOf(`?event_id=${rows[1_000]!.event_id}`)).to.have.length(0)
        expect(await recover(range)).to.include({ scheduled: 3, has_more: false })
      })

      it('creates no delivery twice for concurrent calls', async () => {
        for (let i = 0; i < 20; i++) await acme.event('order.shipped', `SO-${i}`, clock)
        path = (await acme.subscribe()).headers.location!
        const all = await Promise.all([1, 2, 3, 4].map(() => recover({ since: instant() })))
        expect(all.reduce((sum, { scheduled }) => sum + scheduled, 0)).to.equal(20)
        expect(await recovered()).to.have.length(20)
      })

      it('is limited to 300 single redeliveries a minute', async () => {
        const live = await webhookMerchant(api, { mode: 'live' })
        const { headers } = await live.subscribe({ endpoint_url: 'https://again.example/' })
        const ask = () => live.ask('POST', `${headers.location}/deliveries/${randomUUID()}/redeliver`)
        const replies = await repeatRequest(301, ask)
        expect(replies.filter(({ status }) => status === 404)).to.have.length(300)
        expect(replies.find(({ status }) => status !== 404)!.body.code).to.equal('rate_limited')
      })

      it('is limited to 60 calls a minute', async () => {
        const live = await webhookMerchant(api, { mode: 'live' })
        const { headers } = await live.subscribe({ endpoint_url: 'https://hooks.example/' })
        const ask = () => live.ask('POST', `${headers.location}/recover`, { since: instant(clock - 1) })
        const replies = await repeatRequest(61, ask)
        const refused = replies.filter(({ status }) => status === 429)
        expect(refused.map(({ body }) => body.code)).to.deep.equal(['rate_limited'])
        expect(Number(refused[0]!.headers['retry-after'])).to.be.within(1, 60)
      })

      it('is rejected while disabled, and for a range that ends before it starts', async () => {
        const backwards = { since: instant(clock + 1), until: instant() }
        const { status, body } = await acme.ask('POST', `${path}/recover`, backwards)
        expect([status, body.detail[0].loc]).to.deep.equal([422, ['body', 'since']])
        expect((await acme.ask('POST', `${path}/recover`, {})).status).to.equal(422)
        expect((await acme.ask('POST', `${path}/recover`, { since: 'a\0' })).status).to.equal(422)
        for (const time of [0, '0', 1_700_000_000_000]) {
          const number = await acme.ask('POST', `${path}/recover`, { since: time, until: time })
          expect(number.status).to.equal(422)
          const items = number.body.detail.map(({ type, loc }: { type: string; loc: string[] }) => [type, loc.at(-1)])
          expect(items).to.deep.equal(['since', 'until'].map((name) => ['datetime_from_number', name]))
        }
        await acme.ask('POST', `${path}/disable`)
        const refused = await acme.ask('POST', `${path}/recover`, { since: instant() })
        expect([refused.status, refused.body.code]).to.deep.equal([409, 'subscription_disabled'])
      })
    })
  })
}
