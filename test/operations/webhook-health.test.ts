import { mock } from 'node:test'
import { expect } from 'chai'
import { createHealthCheck } from '../../src/operations/health-check.ts'
import type { Database } from '../../src/storage/database.ts'
import { createPendingDelivery } from '../../src/storage/webhooks/outbox.ts'
import type { UpstreamRegistry } from '../../src/upstream/upstream-registry.ts'
import { stores } from '../support/stores.ts'
import { createDeliveryFixture } from '../webhooks/dispatcher-fixture.ts'

const REALM = { tenant_id: 'acme', mode: 'sandbox' } as const
const upstreams = { states: () => [] } as unknown as UpstreamRegistry

for (const store of stores()) {
  describe(`health of webhooks over ${store.name}`, () => {
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

    const subscribe = (name: string, consecutive_failures: number) =>
      createDeliveryFixture(db).subscribe(name, { consecutive_failures })

    async function deliver(name: string, dueInMs: number): Promise<void> {
      const subscription_id = `whk_${name}`
      const at = new Date(now + dueInMs).toISOString()
      const of = { event_id: `evt_${dueInMs}`, event_type: 'order.shipped', coalesce: null }
      await db
        .insertInto('deliveries')
        .values({
          ...REALM,
          delivery_id: `${subscription_id}${dueInMs}`,
          subscription_id,
          ...of,
          ...createPendingDelivery(at, at),
        })
        .execute()
    }

    it('counts due deliveries only', async () => {
      await subscribe('sound', 0)
      await deliver('sound', -1_000)
      await deliver('sound', -2_000)
      await deliver('sound', 60_000)
      const { status, checks } = await createHealthCheck({ db, store: { outage: null }, upstreams, now: () => now })()
      expect([status, checks.webhooks]).to.deep.equal(['ok', { status: 'ok', backlog: 2 }])
    })

    it('is degraded when a healthy endpoint waits for over a minute, but not when a failing one does', async () => {
      await subscribe('failing', 3)
      await deliver('failing', -600_000)
      const health = createHealthCheck({ db, store: { outage: null }, upstreams, now: () => now })
      expect((await health()).checks.webhooks).to.deep.equal({ status: 'ok', backlog: 1 })
      await subscribe('sound', 0)
      await deliver('sound', -60_001)
      expect((await health()).checks.webhooks.backlog, 'counted a moment ago').to.equal(1)
      now += 2_000
      const { status, checks } = await health()
      expect([status, checks.webhooks]).to.deep.equal(['degraded', { status: 'degraded', backlog: 2 }])
    })
  })
}
