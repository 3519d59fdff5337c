import { expect } from 'chai'
import type { Database } from '../../src/storage/database.ts'
import { insertDeliveries } from '../../src/storage/webhooks/deliveries.ts'
import { createPendingDelivery } from '../../src/storage/webhooks/outbox.ts'
import { readAttemptStatistics } from '../../src/webhooks/attempt-statistics.ts'
import { stores } from '../support/stores.ts'

const AT = '2026-11-21T14:05:00.000Z'
const attempt = (response_status: number | null, duration_ms: number) => ({
  number: 1,
  at: AT,
  duration_ms,
  response_status,
  error: response_status === null ? 'timeout' : null,
  response_excerpt: null,
})

for (const store of stores())
  describe(`the attempts of an endpoint over ${store.name}`, () => {
    let db: Database
    before(async () => {
      db = await store.open()
    })
    after(() => store.close())

    it('are counted by kind of event, the one with the most failures first', async () => {
      const logs = [
        ['order.shipped', [attempt(200, 10), attempt(204, 30)]],
        ['stock.changed', [attempt(500, 20), attempt(null, 10_000), attempt(301, 40)]],
        ['stock.changed', []],
      ] as const
      const rows = logs.map(([event_type, log], index) => ({
        ...{ tenant_id: 'acme', mode: 'live', subscription_id: 'whk_1', event_id: `evt_${index}`, coalesce: null },
        ...createPendingDelivery(AT, AT),
        delivery_id: `00000000-0000-4000-8000-00000000000${index}`,
        event_type,
        log: JSON.stringify(log),
      }))
      await insertDeliveries(db, rows as never)
      expect(await readAttemptStatistics(db, 'whk_1', 100)).to.deep.equal([
        { eventType: '', attempts: 5, failed: 3, p50Ms: 30, p99Ms: 40 },
        { eventType: 'stock.changed', attempts: 3, failed: 3, p50Ms: 40, p99Ms: 40 },
        { eventType: 'order.shipped', attempts: 2, failed: 0, p50Ms: 30, p99Ms: 30 },
      ])
      expect((await readAttemptStatistics(db, 'whk_2', 100))[0]).to.deep.equal({
        ...{ eventType: '', attempts: 0, failed: 0, p50Ms: null, p99Ms: null },
      })
    })
  })
