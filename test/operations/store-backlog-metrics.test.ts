import { mock } from 'node:test'
import { setImmediate as breath } from 'node:timers/promises'
import { expect } from 'chai'
import { createMetrics } from '../../src/operations/metrics.ts'
import { registerStoreMetrics } from '../../src/operations/store-backlog-metrics.ts'
import type { OrderDraft } from '../../src/ports/order.ts'
import { insertOrder } from '../../src/storage/commerce/orders.ts'
import type { Database } from '../../src/storage/database.ts'
import type { OutageNoticeState } from '../../src/storage/diagnostics/outage-notices.ts'
import { createPendingDelivery } from '../../src/storage/webhooks/outbox.ts'
import { stores } from '../support/stores.ts'
import { createDeliveryFixture } from '../webhooks/dispatcher-fixture.ts'

const MERCHANTS = ['acme', 'zenith']
const CHANNELS = ['ops', 'chat', 'desk']

for (const store of stores()) {
  describe(`metrics of the store over ${store.name}`, () => {
    let db: Database
    let now: number
    beforeEach(async () => {
      db = await store.open()
      // The time limit must not pass on a slow machine.
      mock.timers.enable({ apis: ['setTimeout'] })
      now = Date.parse('2026-11-21T12:00:00.000Z')
    })
    afterEach(() => {
      mock.timers.reset()
      return store.close()
    })

    const ago = (ms: number) => new Date(now - ms).toISOString()

    function scrapes(): (name: string) => Promise<string[]> {
      const metrics = createMetrics({ merchants: MERCHANTS })
      registerStoreMetrics(metrics, {
        db,
        store: { outage: null },
        merchants: MERCHANTS,
        channels: CHANNELS,
        now: () => now,
      })
      return async (name) => (await metrics.text()).split('\n').filter((line) => line.startsWith(name))
    }

    const order = (tenant_id: string, order_id: string, ageMs: number) =>
      insertOrder(db, {
        order_id,
        tenant_id,
        mode: 'live',
        customer_id: 'C-1',
        cart_id: `cart_${order_id}`,
        status: 'PENDING',
        draft: {} as OrderDraft,
        placed: null,
        acknowledged: true,
        leased_until: ago(0),
        attempts: 1,
        reject_reason: null,
        created_at: ago(ageMs),
        updated_at: ago(ageMs),
      })

    it('tell the channels whose latest notification could not be sent', async () => {
      const notice = { target: 'mail', system: 'pricing', began_at: ago(90_000), due_at: ago(0), document: '{}' }
      const insert = (channel: string, state: OutageNoticeState, failure: string | null, seenAgoMs: number) =>
        db
          .insertInto('outage_notices')
          .values({
            ...notice,
            notice_id: `out_${channel}_${seenAgoMs}`,
            channel,
            state,
            failure,
            seen_at: ago(seenAgoMs),
            attempts: 1,
            claimed_until: '',
            told_at: null,
            ended_at: null,
          })
          .execute()
      await insert('ops', 'began_sent', null, 9_000)
      await insert('ops', 'failed', 'HTTP 500', 60_000)
      await insert('chat', 'began_due', null, 1_000)
      await insert('chat', 'ended_due', 'HTTP 404', 5_000)
      await insert('desk', 'failed', 'no response', 4_000_000)
      await insert('gone', 'failed', 'HTTP 404', 5_000)
      expect(await scrapes()('forecourt_notification_channel_failing')).to.deep.equal([
        'forecourt_notification_channel_failing{channel="ops"} 0',
        'forecourt_notification_channel_failing{channel="chat"} 1',
        'forecourt_notification_channel_failing{channel="desk"} 0',
      ])
    })

    it('count waiting orders and the age of the oldest, by merchant', async () => {
      await order('acme', 'ord_1', 30_000)
      await order('acme', 'ord_2', 90_000)
      await order('gone', 'ord_3', 90_000)
      const scrape = scrapes()
      expect(await scrape('forecourt_orders_waiting')).to.deep.equal([
        'forecourt_orders_waiting{merchant="acme",mode="live"} 2',
        'forecourt_orders_waiting{merchant="acme",mode="sandbox"} 0',
        'forecourt_orders_waiting{merchant="zenith",mode="live"} 0',
        'forecourt_orders_waiting{merchant="zenith",mode="sandbox"} 0',
        'forecourt_orders_waiting_oldest_seconds{merchant="acme",mode="live"} 90',
        'forecourt_orders_waiting_oldest_seconds{merchant="acme",mode="sandbox"} 0',
        'forecourt_orders_waiting_oldest_seconds{merchant="zenith",mode="live"} 0',
        'forecourt_orders_waiting_oldest_seconds{merchant="zenith",mode="sandbox"} 0',
      ])
    })

    it('count due deliveries, and endpoints by status', async () => {
      await createDeliveryFixture(db).subscribe('sound')
      for (const dueMs of [1_000, 45_000, -60_000]) {
        const of = { event_id: `evt_${dueMs}`, event_type: 'order.shipped', coalesce: null }
        const to = {
          subscription_id: 'whk_sound',
          delivery_id: `dlv_${dueMs}`,
          tenant_id: 'acme',
          mode: 'sandbox',
        } as const
        await db
          .insertInto('deliveries')
          .values({ ...to, ...of, ...createPendingDelivery(ago(dueMs), ago(dueMs)) })
          .execute()
      }
      const scrape = scrapes()
      expect(await scrape('forecourt_webhook_backlog{merchant="acme"')).to.deep.equal([
        'forecourt_webhook_backlog{merchant="acme",mode="live"} 0',
        'forecourt_webhook_backlog{merchant="acme",mode="sandbox"} 2',
      ])
      expect(await scrape('forecourt_webhook_oldest_due_seconds{merchant="acme",mode="sandbox"}')).to.deep.equal([
        'forecourt_webhook_oldest_due_seconds{merchant="acme",mode="sandbox"} 45',
      ])
      const unsuccessful = (count: number) =>
        `forecourt_webhook_endpoints_unsuccessful{merchant="acme",mode="sandbox"} ${count}`
      expect(await scrape('forecourt_webhook_endpoints_unsuccessful{merchant="acme",mode="sandbox"')).to.deep.equal([
        unsuccessful(0),
      ])
      await db
        .updateTable('subscriptions')
        .set({ consecutive_failures: 3, failing_since: ago(899_000) })
        .execute()
      expect(await scrapes()('forecourt_webhook_endpoints_unsuccessful{merchant="acme",mode="sandbox"')).to.deep.equal([
        unsuccessful(0),
      ])
      await db
        .updateTable('subscriptions')
        .set({ failing_since: ago(900_000) })
        .execute()
      expect(await scrapes()('forecourt_webhook_endpoints_unsuccessful{merchant="acme",mode="sandbox"')).to.deep.equal([
        unsuccessful(1),
      ])
      expect(await scrape('forecourt_webhook_endpoints{merchant="acme",mode="sandbox"')).to.deep.equal([
        'forecourt_webhook_endpoints{merchant="acme",mode="sandbox",status="ACTIVE"} 1',
        'forecourt_webhook_endpoints{merchant="acme",mode="sandbox",status="FAILING"} 0',
        'forecourt_webhook_endpoints{merchant="acme",mode="sandbox",status="DISABLED"} 0',
      ])
    })

    it('count open incidents by system', async () => {
      const of = { tenant_id: 'acme', mode: 'live', system: 'pricing', answers: 1, codes: '{}', samples: '[]' } as const
      const times = { began_at: ago(9_000), last_at: ago(8_000), well_at: null }
      const rows = [
        { ...of, ...times, incident_id: 'inc_1', section: 'price', ended_at: null },
        { ...of, ...times, incident_id: 'inc_2', section: 'lines', ended_at: null },
        { ...of, ...times, incident_id: 'inc_3', section: 'price', ended_at: ago(8_000) },
      ]
      await db.insertInto('incidents').values(rows).execute()
      expect(await scrapes()('forecourt_incidents_open')).to.deep.equal([
        'forecourt_incidents_open{merchant="acme",mode="live",system="pricing"} 2',
      ])
    })

    it('query the store at most every five seconds', async () => {
      const scrape = scrapes()
      const waiting = async () => (await scrape('forecourt_orders_waiting{merchant="acme",mode="live"}'))[0]
      expect(await waiting()).to.match(/ 0$/)
      await order('acme', 'ord_1', 0)
      now += 4_999
      expect(await waiting()).to.match(/ 0$/)
      now += 1
      expect(await waiting()).to.match(/ 1$/)
    })
  })
}

describe('metrics while the store is unreachable', () => {
  const broken = (ask: () => unknown) => new Proxy({}, { get: () => ask }) as unknown as Database

  it('report it, and leave out the metrics of the store', async () => {
    const metrics = createMetrics({ merchants: MERCHANTS })
    const db = broken(() => {
      throw new Error('connection refused')
    })
    registerStoreMetrics(metrics, {
      db,
      store: { outage: null },
      merchants: MERCHANTS,
      channels: CHANNELS,
      now: Date.now,
    })
    const lines = (await metrics.text()).split('\n')
    expect(lines).to.include('forecourt_store_up 0')
    expect(lines.filter((line) => line.startsWith('forecourt_orders_waiting'))).to.deep.equal([])
  })

  it('wait one second for a store that hangs, with one query only', async () => {
    let asked = 0
    let at = 0
    const chain: unknown = new Proxy(() => {}, {
      get: (_target, name) =>
        name === 'then'
          ? undefined
          : name === 'execute'
            ? () => {
                asked += 1
                return new Promise(() => {})
              }
            : chain,
      apply: () => chain,
    })
    const metrics = createMetrics({ merchants: MERCHANTS })
    registerStoreMetrics(metrics, {
      db: chain as Database,
      store: { outage: null },
      merchants: MERCHANTS,
      channels: CHANNELS,
      now: () => at,
    })
    mock.timers.enable({ apis: ['setTimeout'] })
    try {
      for (const scrape of [1, 2]) {
        at = scrape * 10_000
        let text: string | undefined
        void metrics.text().then((told) => {
          text = told
        })
        await breath()
        mock.timers.tick(999)
        await breath()
        expect(text).to.equal(undefined)
        mock.timers.tick(1)
        while (text === undefined) await breath()
        expect(text.split('\n')).to.include('forecourt_store_up 0')
      }
    } finally {
      mock.timers.reset()
    }
    expect(asked).to.equal(1)
  })
})
