import { expect } from 'chai'
import type { EventEnvelope } from '../../../src/contract/events/event-envelope.ts'
import { transact } from '../../../src/storage/transact.ts'
import { appendEvent } from '../../../src/storage/webhooks/outbox.ts'
import { type Api, startApi } from '../../support/api.ts'
import { fillWebhookStore } from '../../support/fill-webhook-store.ts'
import { stores } from '../../support/stores.ts'
import { eventDataOf } from './event-data.ts'
import { type WebhookMerchant, webhookMerchant } from './webhook-merchant.ts'

for (const store of stores()) {
  describe(`GET /v1/events on ${store.name}`, () => {
    let api: Api
    let acme: WebhookMerchant
    let clock = Date.now()

    before(async () => {
      const url = await store.createMigrated()
      api = await startApi({ store: url, now: () => clock })
      acme = await webhookMerchant(api)
    })
    beforeEach(async () => {
      clock = Date.now()
      await api.db.deleteFrom('events').execute()
      await api.db.deleteFrom('resources').execute()
    })
    after(async () => {
      await api[Symbol.asyncDispose]()
      await store.close()
    })

    const instant = (ms = clock) => new Date(ms).toISOString()
    const read = async (query = '', caller = acme) => {
      const { status, body, text } = await caller.ask('GET', `/v1/events?${query}`)
      expect(status, text).to.equal(200)
      return body as { data: EventEnvelope[]; has_more: boolean; next_since: string; errors: [] }
    }
    const idsOf = async (query: string) => (await read(query)).data.map(({ id }) => id)
    const MINUTE_MS = 60_000

    it('lists events as they are delivered, oldest first', async () => {
      const [second, first] = await acme.events(
        ['order.shipped', 'SO-1', clock - MINUTE_MS],
        ['stock.changed', 'BP-1001', clock - 2 * MINUTE_MS],
      )
      const { data, ...rest } = await read()
      expect(data.map(({ id }) => id)).to.deep.equal([first, second])
      expect(data[1]).to.deep.equal({
        id: second,
        type: 'order.shipped',
        created_at: instant(clock - MINUTE_MS),
        api_version: '1',
        mode: 'sandbox',
        tenant_id: 'acme',
        resource: { type: 'order', id: 'SO-1' },
        sequence: 1,
        data: eventDataOf('order.shipped', 'SO-1'),
      })
      expect(rest.next_since).to.match(/^cur_[\w-]{16}$/)
      expect(rest).to.deep.equal({ has_more: false, next_since: rest.next_since, errors: [] })
    })

    it('starts at a time, after an event, or 30 days ago', async () => {
      const day = 86_400_000
      await acme.event('order.shipped', 'SO-0', clock - 31 * day)
      const a = await acme.event('order.shipped', 'SO-1', clock - 20 * day)
      const b = await acme.event('order.shipped', 'SO-2', clock - 10 * day)
      expect(await idsOf('')).to.deep.equal([a, b])
      expect(await idsOf(`since=${instant(clock - 20 * day)}`)).to.deep.equal([a, b])
      expect(await idsOf(`since=${instant(clock - 20 * day + 1)}`)).to.deep.equal([b])
      expect(await idsOf(`since=${a}`)).to.deep.equal([b])
      expect(await idsOf(`since=${b}`)).to.deep.equal([])
      const inZone = instant(clock - 10 * day + 3_600_000).replace('Z', '+01:00')
      expect(await idsOf(`since=${encodeURIComponent(inZone)}`)).to.deep.equal([b])
    })

    it('pages through all events, including several of the same time', async () => {
      const ids = new Set<string>()
      for (let i = 0; i < 7; i++) ids.add(await acme.event('order.shipped', `SO-${i}`, clock - MINUTE_MS))
      const seen: string[] = []
      for (let since = '', more = true; more; ) {
        const page = await read(`limit=3${since}`)
        seen.push(...page.data.map(({ id }) => id))
        since = `&since=${page.next_since}`
        more = page.has_more
      }
      expect(seen).to.have.length(7)
      expect(new Set(seen)).to.deep.equal(ids)
    })

    it('lists each event once when the clock is set back and forth', async () => {
      const start = instant(clock - MINUTE_MS)
      const written: string[] = []
      const seen: string[] = []
      let since = start
      for (const step of [0, -50, 30, -55, 20, -59, 0]) {
        for (let i = 0; i < 3; i++) written.push(await acme.event('order.shipped', `SO-${i}`, clock + step * 1_000 + i))
        const page = await read(`since=${since}`)
        seen.push(...page.data.map(({ id }) => id))
        since = page.next_since
      }
      expect(seen).to.have.members(written)
      expect((await read(`since=${since}`)).data).to.deep.equal([])
    })

    it('starts at a time without losing what follows, wherever the clock was then', async () => {
      const early = await acme.event('order.shipped', 'SO-1', clock - 10_000)
      await read()
      const ahead = await acme.event('order.shipped', 'SO-2', clock + MINUTE_MS)
      await read()
      const back = await acme.event('order.shipped', 'SO-3', clock)
      expect(await idsOf(`since=${instant(clock - 20_000)}`)).to.deep.equal([early, ahead, back])
      expect(await idsOf(`since=${instant(clock)}`)).to.deep.equal([ahead, back])
      expect(await idsOf(`since=${instant(clock + MINUTE_MS)}`)).to.deep.equal([ahead, back])
      const later = (await read(`since=${instant(clock + 2 * MINUTE_MS)}`)).next_since
      const next = await acme.event('order.shipped', 'SO-4', clock)
      expect(await idsOf(`since=${later}`)).to.deep.equal([next])
    })

    it('lists an event that is held when it is released, behind each cursor that was returned before', async () => {
      const hold = (id: string, ms: number | null) =>
        api.db
          .updateTable('events')
          .set({ held_until: ms === null ? null : instant(clock + ms) })
          .where('event_id', '=', id)
          .execute()
      const held = await acme.event('product.updated', 'BP-1001', clock - MINUTE_MS)
      const released = await acme.event('product.updated', 'BP-1002', clock - MINUTE_MS)
      await hold(held, 1_000)
      await hold(released, 1_000)
      const other = await acme.event('order.shipped', 'SO-1', clock)
      const first = await read()
      expect(first.data.map(({ id }) => id)).to.deep.equal([other])
      await hold(released, null)
      const second = await read(`since=${first.next_since}`)
      expect(second.data.map(({ id }) => id)).to.deep.equal([released])
      clock += 1_000
      expect(await idsOf(`since=${second.next_since}`)).to.deep.equal([held])
    })

    it('lists events of one resource in the order of their sequence', async () => {
      await acme.events(
        ['order.confirmed', 'SO-1', clock],
        ['order.shipped', 'SO-1', clock - MINUTE_MS],
        ['order.shipped', 'SO-2', clock - 1_000],
      )
      const { data } = await read()
      expect(data.map(({ resource, sequence }) => `${resource.id} ${sequence}`)).to.deep.equal([
        'SO-2 1',
        'SO-1 1',
        'SO-1 2',
      ])
    })

    // A SQLite store has one writing transaction at a time.
    const itOnPostgres = store.name === 'PostgreSQL' ? it : () => {}
    itOnPostgres('skips no event whose transaction commits after that of a later one', async () => {
      const event = {
        merchant: 'acme',
        mode: 'sandbox',
        type: 'order.shipped',
        data: eventDataOf('order.shipped', 'SO-1'),
      } as const
      const held = Promise.withResolvers<void>()
      const written = Promise.withResolvers<string>()
      const slow = transact(api.db, async (transaction) => {
        const at = instant(clock - MINUTE_MS)
        written.resolve(await appendEvent(transaction, { ...event, resource: { type: 'order', id: 'SO-1' }, at }))
        await held.promise
      })
      const first = await written.promise
      const second = await acme.event('order.shipped', 'SO-2', clock)
      const page = await read()
      expect(page.data.map(({ id }) => id)).to.deep.equal([second])
      held.resolve()
      await slow
      expect(await idsOf(`since=${page.next_since}`)).to.deep.equal([first])
    })

    it('numbers each event once while several clients read', async () => {
      for (let i = 0; i < 20; i++) await acme.event('order.shipped', `SO-${i}`, clock)
      const pages = await Promise.all([1, 2, 3, 4].map(() => read()))
      const all = (await read()).data.map(({ id }) => id)
      expect(new Set(all).size).to.equal(20)
      for (const { data } of pages) expect(data.map(({ id }) => id)).to.deep.equal(all.slice(0, data.length))
    })

    it('refuses a cursor that does not say where to go on', async () => {
      const refused = async (since: string, caller = acme) => {
        const { status, body } = await caller.ask('GET', `/v1/events?since=${since}`)
        expect(status).to.equal(422)
        return body.detail[0].type
      }
      const first = await acme.event('order.shipped', 'SO-1', clock)
      const { next_since } = await read()
      const other = await webhookMerchant(api, { mode: 'live' })
      expect(await refused(next_since, other)).to.equal('cursor_unknown')
      expect(await refused(`${next_since.slice(0, -1)}=`)).to.equal('cursor_unknown')
      expect(await refused('cur_1')).to.equal('cursor_unknown')
      await acme.event('order.shipped', 'SO-2', clock)
      await read()
      await api.db.deleteFrom('events').execute()
      expect(await refused(next_since)).to.equal('cursor_expired')
      expect(await refused(first)).to.equal('event_unknown')
      await api.db.deleteFrom('event_positions').execute()
      expect(await refused(next_since)).to.equal('cursor_unknown')
    })

    it('examines a part of the list per page when few events are of the requested types', async () => {
      await fillWebhookStore(api.db, { subscriptionId: 'whk_none', events: 20_001 })
      await acme.event('invoice.paid', 'INV-1', clock)
      const first = await read('types=invoice.*&since=2026-01-01T00:00:00Z')
      expect([first.data.length, first.has_more]).to.deep.equal([0, true])
      const second = await read(`types=invoice.*&since=${first.next_since}`)
      expect([second.data.length, second.has_more]).to.deep.equal([1, false])
      await api.db.deleteFrom('deliveries').execute()
    })

    it('accepts types as a subscription does: with commas, repeated, in families', async () => {
      const at = clock - MINUTE_MS
      const shipped = await acme.event('order.shipped', 'SO-1', at)
      const paid = await acme.event('invoice.paid', 'INV-1', at + 1)
      const stock = await acme.event('stock.changed', 'BP-1', at + 2)
      expect(await idsOf('types=order.shipped,stock.*')).to.deep.equal([shipped, stock])
      expect(await idsOf('types=invoice.*&types=order.shipped')).to.deep.equal([shipped, paid])
      expect(await idsOf('types=*')).to.deep.equal([shipped, paid, stock])
      expect(await idsOf('types=')).to.deep.equal([shipped, paid, stock])
      expect(await idsOf('types=order.confirmed')).to.deep.equal([])
    })

    it('rejects unknown values', async () => {
      const refused = async (query: string) => {
        const { status, body } = await acme.ask('GET', `/v1/events?${query}`)
        expect(status, query).to.equal(422)
        return body.detail.map(({ type, loc }: { type: string; loc: unknown[] }) => [type, ...loc])
      }
      expect(await refused('types=order.*,orders&types=x')).to.deep.equal([
        ['event_type_unknown', 'query', 'types', 1],
        ['event_type_unknown', 'query', 'types', 2],
      ])
      expect(await refused('since=evt_0000000000000000000000')).to.deep.equal([['event_unknown', 'query', 'since']])
      expect(await refused('since=evt_nope')).to.deep.equal([['event_unknown', 'query', 'since']])
      expect(await refused('since=evt_%00')).to.deep.equal([['event_unknown', 'query', 'since']])
      expect(await refused('since=yesterday')).to.deep.equal([['datetime_from_date_parsing', 'query', 'since']])
      expect(await refused('since=%00')).to.have.length(1)
      expect(await refused('since=2026')).to.deep.equal([['datetime_from_number', 'query', 'since']])
      expect(await refused(`since=${'1'.repeat(65)}`)).to.deep.equal([['string_too_long', 'query', 'since']])
      expect(await refused('limit=0')).to.deep.equal([['greater_than_equal', 'query', 'limit']])
      expect(await refused('limit=201')).to.deep.equal([['less_than_equal', 'query', 'limit']])
    })

    it('lists events of one merchant and mode', async () => {
      const own = await acme.event('order.shipped', 'SO-1', clock - MINUTE_MS)
      for (const caller of [{ merchant: 'zenith' }, { mode: 'live' }] as const) {
        const other = await webhookMerchant(api, caller)
        expect((await read('', other)).data).to.deep.equal([])
        expect((await other.ask('GET', `/v1/events?since=${own}`)).status).to.equal(422)
      }
    })
  })
}
