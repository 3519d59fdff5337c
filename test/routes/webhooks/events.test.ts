import { expect } from 'chai'
import type { EventEnvelope } from '../../../src/contract/event.ts'
import { type Api, startApi } from '../../support/api.ts'
import { stores } from '../../support/stores.ts'
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
      const second = await acme.event('order.shipped', 'SO-1', clock - MINUTE_MS)
      const first = await acme.event('stock.changed', 'BP-1001', clock - 2 * MINUTE_MS)
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
        data: { id: 'SO-1' },
      })
      expect(rest).to.deep.equal({ has_more: false, next_since: instant(clock - MINUTE_MS - 5_000), errors: [] })
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
        if (page.has_more) expect(page.next_since).to.equal(seen.at(-1))
        since = `&since=${page.next_since}`
        more = page.has_more
      }
      expect(seen).to.have.length(7)
      expect(new Set(seen)).to.deep.equal(ids)
    })

    it('misses no event that becomes visible late, and continues when nothing happens', async () => {
      const early = await acme.event('order.shipped', 'SO-1', clock - 1_000)
      const { next_since } = await read()
      const late = await acme.event('order.shipped', 'SO-2', clock - 4_000)
      expect(await idsOf(`since=${next_since}`)).to.deep.equal([late, early])
      const given = instant(clock - 2_000)
      expect((await read(`since=${given}`)).next_since).to.equal(given)
      const future = instant(clock + MINUTE_MS)
      expect(await read(`since=${future}`)).to.deep.equal({
        data: [],
        has_more: false,
        next_since: future,
        errors: [],
      })
      expect((await read(`since=${early}`)).next_since).to.equal(early)
    })

    it('skips no event while others of its time may still appear', async () => {
      const settled = await acme.event('order.shipped', 'SO-0', clock - MINUTE_MS)
      for (let i = 1; i <= 4; i++) await acme.event('order.shipped', `SO-${i}`, clock - 10 + i)
      const first = await read('limit=3')
      expect([first.data.length, first.has_more, first.next_since]).to.deep.equal([3, true, settled])
      const second = await read(`limit=3&since=${first.next_since}`)
      expect([second.data.length, second.has_more]).to.deep.equal([3, false])
      const late = await acme.event('order.shipped', 'SO-5', clock - 4_000)
      clock += 5_000
      const third = await read(`limit=3&since=${second.next_since}`)
      expect([third.data[0]!.id, third.has_more, third.next_since]).to.deep.equal([late, true, third.data[2]!.id])
      const fourth = await read(`limit=3&since=${third.next_since}`)
      expect(fourth.data.map(({ resource }) => resource.id)).to.deep.equal(['SO-3', 'SO-4'])
      expect(fourth.has_more).to.equal(false)
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
      expect(await refused('since=yesterday')).to.deep.equal([['datetime_from_date_parsing', 'query', 'since']])
      expect(await refused('since=%00')).to.have.length(1)
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
