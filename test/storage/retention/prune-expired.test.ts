import { expect } from 'chai'
import type { Database } from '../../../src/storage/database.ts'
import { pruneExpired } from '../../../src/storage/retention/prune-expired.ts'
import { addEmailToken } from '../../../src/storage/shoppers/email-tokens.ts'
import { addRefreshToken } from '../../../src/storage/shoppers/refresh-tokens.ts'
import { addShopperSession } from '../../../src/storage/shoppers/shopper-sessions.ts'
import { tenantColumns } from '../../../src/storage/tenant-columns.ts'
import { createPendingDelivery } from '../../../src/storage/webhooks/outbox.ts'
import { stores } from '../../support/stores.ts'

const tenant = { merchant: 'acme', mode: 'sandbox' } as const
const NOW = Date.parse('2026-11-21T12:00:00.000Z')

for (const store of stores()) {
  describe(`pruning over ${store.name}`, () => {
    let db: Database

    beforeEach(async () => {
      db = await store.open()
    })
    afterEach(() => store.close())

    async function addTokens(name: string, expiresAt: Date): Promise<void> {
      const times = { at: new Date(0), expiresAt }
      await addShopperSession(db, name, { ...tenant, customer_id: 'C-1', family_id: 'f' }, times)
      await addRefreshToken(db, name, { family_id: 'f', shopper_id: 's' }, times)
      await addEmailToken(db, name, { ...tenant, purpose: 'verify', email: 'a@b.example', payload: '{}' }, times)
      await db
        .insertInto('idempotency_keys')
        .values({
          digest: name,
          tenant_id: 'acme',
          fingerprint: '',
          state: 'done',
          locked_until: '',
          holder: null,
          applied: null,
          status: null,
          body: null,
          created_at: '',
          expires_at: expiresAt.toISOString(),
        })
        .execute()
    }

    async function addEvent(event_id: string, at: string): Promise<void> {
      const common = { ...tenantColumns(tenant), event_id, created_at: at }
      const event = { type: 'order.confirmed', resource_type: 'order', resource_id: event_id, sequence: 1, data: '{}' }
      await db
        .insertInto('events')
        .values({ ...common, ...event })
        .execute()
      const delivery = { delivery_id: event_id, subscription_id: 's', event_type: 'order.confirmed', coalesce: null }
      await db
        .insertInto('deliveries')
        .values({ ...common, ...delivery, ...createPendingDelivery(at, at) })
        .execute()
    }

    async function addCart(cart_id: string, state: 'ACTIVE' | 'CONVERTED', expires_at: string): Promise<void> {
      const content = { customer_id: 'C-1', version: 1, lines: '[]', promotions: '[]', pricing: null, order_id: null }
      const times = { created_at: expires_at, updated_at: expires_at, expires_at }
      await db
        .insertInto('carts')
        .values({ ...tenantColumns(tenant), cart_id, state, ...content, ...times })
        .execute()
    }

    const countRows = async () => {
      const tables = ['shopper_sessions', 'refresh_tokens', 'mailbox_tokens', 'idempotency_keys'] as const
      return Promise.all(tables.map(async (table) => (await db.selectFrom(table).selectAll().execute()).length))
    }

    it('keeps rows until an hour after they expire', async () => {
      await addTokens('expired', new Date(NOW - 3_600_001))
      await addTokens('recent', new Date(NOW - 3_599_999))
      await addTokens('valid', new Date(NOW + 1))
      expect(await pruneExpired(db, NOW)).to.equal(4)
      expect(await countRows()).to.deep.equal([2, 2, 2, 2])
    })

    it('keeps events, deliveries and expired carts for thirty days, and converted carts forever', async () => {
      const day = 86_400_000
      for (const [name, age] of [
        ['old', 30 * day + 1],
        ['young', 30 * day - 1],
      ] as const) {
        const at = new Date(NOW - age).toISOString()
        await addEvent(name, at)
        await addCart(`${name} cart`, 'ACTIVE', at)
        await addCart(`${name} ordered`, 'CONVERTED', at)
      }
      expect(await pruneExpired(db, NOW)).to.equal(3)
      const names = async (table: 'events' | 'deliveries' | 'carts', column: string) =>
        (
          await db
            .selectFrom(table)
            .select(column as never)
            .execute()
        )
          .flatMap((row) => Object.values(row))
          .toSorted()
      expect(await names('events', 'event_id')).to.deep.equal(['young'])
      expect(await names('deliveries', 'event_id')).to.deep.equal(['young'])
      expect(await names('carts', 'cart_id')).to.deep.equal(['old ordered', 'young cart', 'young ordered'])
    })

    it('takes several steps for many rows', async () => {
      for (let i = 0; i < 450; i++) await addTokens(`expired ${i}`, new Date(NOW - 4_000_000))
      await pruneExpired(db, NOW)
      expect(await countRows()).to.deep.equal([0, 0, 0, 0])
    })
  })
}
